import { NO_SPEECH, reason } from '@voxscribe/contracts/reasons'
import PQueue from 'p-queue'
import type { Around } from '../around.ts'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { EngineGone, NotNow, Unworkable } from '../errors.ts'
import { type NativePool, thisMachine, workersFor } from '../local-model/pool.ts'
import type { Models } from '../models/folder.ts'
import { onPath } from '../on-path.ts'
import { type EngineSettings, notesAtOnce } from '../settings.ts'
import type { Abilities } from './abilities.ts'
import type { Engine, PassedBy } from './engine.ts'
import { createLocal } from './local.ts'
import { createSphinx } from './sphinx.ts'

interface Deps extends Pick<Around, 'boundedFetch' | 'log'> {
  settings: EngineSettings
  models: Models
  pool: NativePool
  ffmpeg: Ffmpeg
}

export type Listed = Engine | Pick<Engine, 'name'>
export const isEngine = (engine: Listed): engine is Engine => 'recognise' in engine

const INSTALL = {
  openai: 'set OPENAI_API_KEY',
  local: 'fetch a model with `npm run model`',
  sphinx: 'install the packages pocketsphinx and pocketsphinx-en-us (English only)',
}

/** Chooses by the setting SPEECH_ENGINE. Only `auto` is a ladder; a named engine is alone. */
export async function createEngines({ settings, models, pool, ffmpeg, boundedFetch, log }: Deps) {
  const { OPENAI_API_KEY: key, SPEECH_TIMEOUT: timeoutMs, SPEECH_ENGINE: chosen } = settings
  // The library slows down the start.
  const { createOpenAi } = key ? await import('./openai.ts') : {}
  const atOnce = { ...settings, TRANSCRIPTION_CONCURRENCY: notesAtOnce(settings) }
  const openai = createOpenAi?.(atOnce, { ffmpeg, boundedFetch, log })
  const find = {
    openai: () => openai,
    local: () => {
      const model = models.chosen()
      return model && createLocal(pool, model, models)
    },
    sphinx: () => {
      const command = onPath(settings.SPHINX_COMMAND)
      return command ? createSphinx({ command, ffmpeg, timeoutMs }) : undefined
    },
  }
  const names = chosen === 'auto' ? (['openai', 'local', 'sphinx'] as const) : [chosen]
  const spare = oneAtATime(pool)
  const ladder = (): Listed[] => names.map(name => find[name]() ?? { name })
  const languages = (): Abilities['languages'] => {
    const known = ladder().flatMap(engine => (isEngine(engine) ? [engine.takes.languages] : []))
    return known.includes('all') ? 'all' : [...new Set((known as string[][]).flat())]
  }
  return {
    /** Engines that may serve, best first. Looked up with each call: a model may arrive at any time. */
    ladder,
    current: () => ladder().find(isEngine),
    /** Another model with times, for a second hearing; undefined where it would leave no worker free. */
    secondTo(first: { model: string | null }, language: string): Engine | undefined {
      const isOff = settings.SECOND_LISTENER === 'off' || pool.size < 2
      const model = models.withTimes().find(each => each.name !== first.model && knows(each, language))
      if (isOff || !model || workersFor(model.workerMegabytes, thisMachine()) < 2) return undefined
      return createLocal(spare, model, models)
    },
    /** Languages of the engines that are here; none without an engine. */
    languages,
    /** Whether a note in this language has to wait: there is no engine, or the model for it is being fetched. */
    mustWait(language: string): boolean {
      const known = languages()
      if (!known.length) return true
      const expected = names.some(name => name === 'local') ? (models.expected()?.languages ?? []) : []
      return !knows({ languages: known }, language) && knows({ languages: expected }, language)
    },
    howToGet: names.map(name => INSTALL[name]).join(', or '),
  }
}

export type Engines = Awaited<ReturnType<typeof createEngines>>

export const knows = ({ languages }: Pick<Abilities, 'languages'>, language: string): boolean =>
  language === 'auto' || languages === 'all' || languages.includes(language)

/** The pool, for work in the background: one task at a time, after all others. */
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

/** By the next try the engine counts as missing, and the note waits for one. */
const GONE_WAIT_MS = 1_000

/** Tries engines, best first, until one hears words. Throws errors that may pass: the note waits for that engine. */
export async function firstThatServes<T extends { text: string }>(
  ladder: Listed[],
  language: string,
  serve: (engine: Engine, instead: PassedBy[]) => Promise<T>,
): Promise<T> {
  const instead: PassedBy[] = []
  let nothing: T | undefined
  let failure: Unworkable | undefined
  let gone: EngineGone | undefined
  for (const engine of ladder) {
    const { name } = engine
    if (!isEngine(engine)) {
      instead.push({ name, reason: 'engine_missing' })
      continue
    }
    if (!knows(engine.takes, language)) {
      failure ??= new Unworkable(
        reason('language_not_supported', { language, known: engine.takes.languages }),
      )
      instead.push({ name, reason: 'language_not_supported' })
      continue
    }
    try {
      const heard = await serve(engine, [...instead])
      if (heard.text) return heard
      nothing ??= heard
      instead.push({ name, reason: NO_SPEECH })
    } catch (error) {
      if (error instanceof EngineGone) gone ??= error
      else if (error instanceof Unworkable) failure = error
      else throw error
      instead.push({ name, reason: error instanceof Unworkable ? error.reason.code : 'engine_missing' })
    }
  }
  if (nothing) return nothing
  if (gone && !failure)
    throw new NotNow('No engine can serve this note for now', GONE_WAIT_MS, { cause: gone })
  throw failure ?? new Unworkable(reason('engine_broke'))
}
