import { reason } from '@voxscribe/contracts/reasons'
import { Unworkable } from '../failure.ts'
import { ENGINE_BROKE } from '../reasons.ts'
import { knows } from './abilities.ts'
import { isEngine, type Rung } from './choice.ts'
import type { Engine, PassedBy } from './engine.ts'

/**
 * Hands a note from engine to engine, best first, until one has served it; each is told why not a better one. An
 * engine that fails for good on this note, or does not know the language, hands it on; anything else that goes wrong
 * is thrown, so that the note waits for that engine. Throws Unworkable when none is left.
 */
export async function climbDown<T>(
  ladder: Rung[],
  language: string,
  serve: (engine: Engine, instead: PassedBy[]) => Promise<T>,
): Promise<T> {
  const instead: PassedBy[] = []
  let failure: Unworkable | undefined
  for (const rung of ladder) {
    const { name } = rung
    if (!isEngine(rung)) {
      instead.push({ name, reason: 'engine_missing' })
      continue
    }
    if (!knows(rung.takes, language)) {
      failure ??= new Unworkable(reason('language_not_supported', { language, known: rung.takes.languages }))
      instead.push({ name, reason: 'language_not_supported' })
      continue
    }
    try {
      return await serve(rung, [...instead])
    } catch (error) {
      if (!(error instanceof Unworkable)) throw error
      failure = error
      instead.push({ name, reason: error.reason.code })
    }
  }
  throw failure ?? new Unworkable(ENGINE_BROKE)
}
