import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { api } from '@voxscribe/contracts/http'
import { PREVIEW_SECONDS } from '@voxscribe/contracts/limits'
import {
  createBodySlots,
  implement,
  leftSignal,
  type RateLimits,
  type Route,
  refusal,
  refusedFor,
  withBodyTimeout,
} from '@voxscribe/service'
import {
  type Engine,
  EngineGone,
  type Engines,
  isHostedKind,
  knows,
  listenTo,
  NotNow,
  type Sounds,
  Unworkable,
} from '@voxscribe/speech'
import express, { type Request } from 'express'
import type { OwnWordsStore } from '../note/own-words.ts'
import { withReplacements } from '../note/replacements.ts'
import type { Notes } from '../note/store.ts'
import { engineMetrics as metrics } from '../queue/engine-metrics.ts'
import { likelyLanguageIn } from '../queue/likely-language.ts'

/** Product limit per person and day, in seconds of audio: 20 minutes. */
const PER_PERSON = { points: 20 * 60, seconds: 86_400 }
/** Browsers need 60 kB for 15 s. */
const BYTES_MAX = 1024 * 1024
/** For the body to arrive, and for the whole call: the gateway waits no longer, and later words are of no use. */
const ARRIVES_MS = 10_000
const LONGEST_MS = 30_000
const RETRY_AFTER_SECONDS = 5

interface Deps {
  sounds: Sounds
  engines: Engines
  /** Whether this process has no note in hand. */
  isIdle(): boolean
  ownWords: Pick<OwnWordsStore, 'forUser'>
  notes: Pick<Notes, 'lastLanguages'>
  rateLimits: RateLimits
}

interface Piece {
  engine: Engine
  content: Buffer
  language: string
  /** The language to assume for little speech if `language` is `auto`; `guess` is the engine's. */
  likelyLanguage(guess: string): Promise<string>
  maxSeconds: number
  /** Called with its length in seconds before it is recognized. */
  onMeasured?(seconds: number): Promise<unknown>
}

export type Previews = ReturnType<typeof createPreviews>

/** Recognizes recordings without storing them, while no note is in hand, by half an engine; pieces only locally. */
export function createPreviews({ sounds, engines, isIdle, ownWords, notes, rateLimits }: Deps) {
  const seconds = rateLimits('preview-person', PER_PERSON, true)
  const stopped = new AbortController()
  /** One piece per person is received or recognized at a time. */
  const takeSlot = createBodySlots({ total: Number.POSITIVE_INFINITY, perCaller: 1 })
  let heard = 0
  const busyError = () => refusedFor(RETRY_AFTER_SECONDS, 'overloaded')

  function engineHere() {
    const engine = engines.current()
    return engine && isHostedKind(engine) ? undefined : engine
  }

  async function recognise(
    { engine, content, language, likelyLanguage, maxSeconds, onMeasured }: Piece,
    signal: AbortSignal,
  ) {
    const piece = { _id: randomUUID(), objectKey: null, content, bytes: content.length, attempt: 1 }
    const note = { ...piece, language, mime: null, parts: [] }
    const limits = { maxSeconds, durationSeconds: maxSeconds }
    return sounds.use({ ...note, ...limits }, signal, async sound => {
      await onMeasured?.(sound.seconds)
      const deps = { engine, savePart: async () => {}, likelyLanguage, metrics }
      const speech = await listenTo(deps, note, sound, signal)
      return { ...speech, seconds: sound.seconds }
    })
  }

  /** Returns the engine if it has a free place; else throws 503. */
  function engineWithPlace(engine: Engine | undefined): Engine {
    const isClosed = stopped.signal.aborted || !isIdle()
    if (!engine || isClosed || heard >= Math.ceil(engine.abilities.partsAtOnce / 2)) throw busyError()
    return engine
  }

  /** Reads a body, then has it recognized. A slow body takes no place. Throws 503 if no place is free. */
  async function hearBody<T>(
    request: Request,
    engineNow: () => Engine | undefined,
    hear: (body: Buffer, engine: Engine, signal: AbortSignal) => Promise<T>,
  ) {
    engineWithPlace(engineNow())
    const signal = AbortSignal.any([
      leftSignal(request.res!),
      stopped.signal,
      AbortSignal.timeout(LONGEST_MS),
    ])
    try {
      const body = await bodyOf(request)
      const engine = engineWithPlace(engineNow())
      heard += 1
      try {
        return await hear(body, engine, signal)
      } finally {
        heard -= 1
      }
    } catch (error) {
      throw signal.aborted ? busyError() : problemOf(error)
    }
  }

  const route: Route = implement(api.previewText, async ({ userId, query: { language }, request }) => {
    const engine = engineHere()
    if (!engine || !knows(engine.abilities, language)) throw refusal('no_preview')
    if (!/^(audio|video)\//i.test(request.headers['content-type'] ?? '')) throw refusal('no_audio_in_it')
    if (!takeSlot(userId, request, request.res!)) throw busyError()
    const data = await hearBody(request, engineHere, async (content, engine, signal) => {
      const onMeasured = (length: number) => seconds.count(userId, Math.ceil(length))
      const likelyLanguage = likelyLanguageIn({ _id: '', userId }, notes)
      const piece = { engine, content, language, likelyLanguage, maxSeconds: PREVIEW_SECONDS, onMeasured }
      const speech = await recognise(piece, signal)
      const { replacements } = await ownWords.forUser(userId)
      const { text, spokenLanguage } = withReplacements(speech, replacements)
      return { text, language: spokenLanguage }
    })
    return { data }
  })

  /** Turns failures of a single piece into refusals, which are not logged as errors. */
  function problemOf(error: unknown): unknown {
    if (error instanceof NotNow || error instanceof EngineGone) return busyError()
    if (!(error instanceof Unworkable)) return error
    const { code } = error.reason
    if (code === 'engine_broke' || code === 'engine_budget_used') return busyError()
    return refusal(code === 'too_long_here' ? 'too_large' : 'no_audio_in_it')
  }

  return {
    route,
    isOn: () => engineHere() !== undefined,
    busyError,
    hearBody,
    recognise,
    stop: () => stopped.abort(),
  }
}

const readBody = promisify(withBodyTimeout(express.raw({ type: () => true, limit: BYTES_MAX }), ARRIVES_MS))

/** Reads a body of at most 1 MiB. */
async function bodyOf(request: Request): Promise<Buffer> {
  if (Number(request.headers['content-length']) > BYTES_MAX) throw refusal('too_large')
  await readBody(request, request.res!)
  return request.body
}
