import { reason } from '@voxscribe/contracts/reasons'
import { Later } from '@voxscribe/messaging'
import { EngineGone, Unworkable } from '../failure.ts'
import { ENGINE_BROKE } from '../reasons.ts'
import { knows } from './abilities.ts'
import { isEngine, type Rung } from './choice.ts'
import type { Engine, PassedBy } from './engine.ts'

/** By the next try the engine counts as missing, and the note waits for one. */
const GONE_WAIT_MS = 1_000

/**
 * Tries engines, best first, until one serves a note. Passes over an engine that fails for good on this note or does
 * not know the language; rethrows any other error, so that the note waits for that engine. Throws Unworkable when none
 * is left, and `Later` when the only ones are gone.
 */
export async function climbDown<T>(
  ladder: Rung[],
  language: string,
  serve: (engine: Engine, instead: PassedBy[]) => Promise<T>,
): Promise<T> {
  const instead: PassedBy[] = []
  let failure: Unworkable | undefined
  let gone: EngineGone | undefined
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
      if (error instanceof EngineGone) gone ??= error
      else if (error instanceof Unworkable) failure = error
      else throw error
      instead.push({ name, reason: error instanceof Unworkable ? error.reason.code : 'engine_missing' })
    }
  }
  if (gone && !failure)
    throw new Later('No engine can serve this note for now', GONE_WAIT_MS, { cause: gone })
  throw failure ?? new Unworkable(ENGINE_BROKE)
}
