import { NO_SPEECH, reason } from '@voxscribe/contracts/reasons'
import PQueue from 'p-queue'
import { EngineGone, NotNow, Unworkable } from '../errors.ts'
import { type NativePool, thisMachine, workersFor } from '../local-model/pool.ts'
import type { Engine, SkippedEngine } from './engine.ts'
import type { Abilities } from './entry.ts'
import type { KindDeps } from './kind.ts'
import { kindOf } from './kinds.ts'
import { engineList, notesAtOnce } from './list.ts'
import { createLocal } from './local.ts'

export type Listed = Engine | Pick<Engine, 'name'>
export const isEngine = (engine: Listed): engine is Engine => 'recognise' in engine

/** Opens the engines in the list. */
export async function createEngines(deps: KindDeps) {
  const { settings, models, pool } = deps
  const entries = engineList(settings)
  const concurrency = notesAtOnce(settings)
  const places = await Promise.all(
    entries.map(async entry => {
      const { name, kind } = entry
      const find = await kindOf(kind)?.open({ concurrency, ...entry }, deps)
      return { name, kind, find }
    }),
  )
  const { SPEECH_ENGINE: chosen } = settings
  const byItself = chosen === 'auto' ? ['openai', 'local', 'sphinx'] : [chosen]
  const ways = settings.ENGINES ? entries.map(({ kind }) => kind) : byItself
  const spare = oneAtATime(pool)
  const ladder = (): Listed[] => places.map(({ name, find }) => find?.() ?? { name })
  const languages = (): Abilities['languages'] => {
    const known = ladder().flatMap(engine => (isEngine(engine) ? [engine.abilities.languages] : []))
    return known.includes('all') ? 'all' : [...new Set((known as string[][]).flat())]
  }
  return {
    /** Engines that may serve, best first. Looked up on each call, because a model may arrive at any time. */
    ladder,
    current: () => ladder().find(isEngine),
    /** Returns another model with times, for a second hearing; undefined if it would leave no worker free. */
    engineForSecondHearing(first: { model: string | null }, language: string): Engine | undefined {
      const isOff = settings.SECOND_LISTENER === 'off' || pool.size < 2
      const model = models.withTimes().find(each => each.name !== first.model && knows(each, language))
      if (isOff || !model || workersFor(model.workerMegabytes, thisMachine()) < 2) return undefined
      return createLocal(spare, model, models)
    },
    /** Languages of the available engines; [] without an engine. */
    languages,
    /** Whether a note in this language must wait, because there is no engine or its model is being fetched. */
    mustWait(language: string): boolean {
      const known = languages()
      if (!known.length) return true
      const expected = places.some(({ kind }) => kind === 'local') ? (models.expected()?.languages ?? []) : []
      return !knows({ languages: known }, language) && knows({ languages: expected }, language)
    },
    /** Whether ENGINES lists the engines. */
    isListed: settings.ENGINES !== undefined,
    howToGet: [...new Set(ways)].map(kind => kindOf(kind)?.howToGet).join(', or '),
  }
}

export type Engines = Awaited<ReturnType<typeof createEngines>>

export const knows = ({ languages }: Pick<Abilities, 'languages'>, language: string): boolean =>
  language === 'auto' || languages === 'all' || languages.includes(language)

/** Wraps the pool for background work: one task at a time, after all others. */
function oneAtATime(pool: NativePool): NativePool {
  const queue = new PQueue({ concurrency: 1 })
  const priority = Number.MIN_SAFE_INTEGER
  return {
    size: 1,
    run: (task, options) =>
      queue.add(() => pool.run(task, { ...options, priority }), { signal: options.signal }),
    close: () => queue.clear(),
  }
}

/** Code for an engine whose model, program or key is missing. */
const MISSING = 'model_missing'

/** By the next try the engine counts as missing, and the note waits for an engine. */
const GONE_WAIT_MS = 1_000

/**
 * Tries engines, best first, until one returns words; engines that lack something wanted come last. Throws errors that
 * may pass, so that the note waits for that engine.
 */
export async function firstThatServes<T extends { text: string }>(
  ladder: Listed[],
  language: string,
  serve: (engine: Engine, skipped: SkippedEngine[]) => Promise<T>,
  lacks: (engine: Engine) => string | undefined = () => undefined,
): Promise<T> {
  /** Why engines failed, by name. */
  const why = new Map<string, string>()
  let empty: T | undefined
  let failure: Unworkable | undefined
  let goneError: EngineGone | undefined
  const lacking = ladder.filter(
    engine => isEngine(engine) && knows(engine.abilities, language) && lacks(engine),
  )
  for (const engine of [...ladder, ...lacking]) {
    const { name } = engine
    if (!isEngine(engine)) {
      why.set(name, MISSING)
      continue
    }
    if (!knows(engine.abilities, language)) {
      failure ??= new Unworkable(
        reason('language_not_supported', { language, known: engine.abilities.languages }),
      )
      why.set(name, 'language_not_supported')
      continue
    }
    const lack = lacking.includes(engine) && !why.has(name) && lacks(engine)
    if (lack) {
      why.set(name, lack)
      continue
    }
    why.delete(name)
    try {
      const heard = await serve(
        engine,
        [...why].map(([name, reason]) => ({ name, reason })),
      )
      if (heard.text) return heard
      empty ??= heard
      why.set(name, NO_SPEECH)
    } catch (error) {
      if (error instanceof EngineGone) goneError ??= error
      else if (error instanceof Unworkable) failure = error
      else throw error
      why.set(name, error instanceof Unworkable ? error.reason.code : MISSING)
    }
  }
  if (empty) return empty
  if (goneError && !failure)
    throw new NotNow('No engine can serve this note for now', GONE_WAIT_MS, { cause: goneError })
  throw failure ?? new Unworkable(reason('engine_broke'))
}
