import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { reason } from '@voxscribe/contracts/reasons'
import { APIError, type OpenAI, toFile } from 'openai'
import { z } from 'zod'
import type { Around, Log } from '../around.ts'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { Unworkable } from '../errors.ts'
import { CORES, type EngineSettings } from '../settings.ts'
import { openAiModel } from './abilities.ts'
import { type Engine, type OriginalFile, type Part, SHORT_NOTE_SECONDS } from './engine.ts'
import { readAnswer } from './openai-answer.ts'
import { createClient, createGate, hasEnded, isUnpaid } from './openai-client.ts'

type Settings = Pick<
  EngineSettings,
  'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'OPENAI_MODEL' | 'SPEECH_TIMEOUT' | 'TRANSCRIPTION_CONCURRENCY'
>
interface Deps extends Pick<Around, 'boundedFetch' | 'log'> {
  ffmpeg: Ffmpeg
}

/** Types by file suffix: the server goes by the suffix, and refuses `.opus`. */
const TYPES: Record<string, string> = { '.ogg': 'audio/ogg', '.mp3': 'audio/mpeg', '.m4a': 'audio/mp4' }
/** A hundred times the words and times of an hour. */
const ANSWER_BYTES_MAX = 64_000_000

/** Facts of one call: the person's words, the language, the idempotency key. */
interface Asked {
  words: readonly string[]
  hint: string | undefined
  key: string
  pay: NonNullable<Part['pay']>
  callSignal: AbortSignal
  /** Words were left out of it already. */
  isRepeat?: boolean
}

/** OpenAI's transcription, or any server of the same protocol. */
export function createOpenAi(settings: Settings, { ffmpeg, boundedFetch, log }: Deps): Engine {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model } = settings
  const fetch = boundedFetch(ANSWER_BYTES_MAX)
  const client = createClient({ apiKey, baseURL, fetch, timeout: settings.SPEECH_TIMEOUT })
  const takes = openAiModel(model)
  const gate = createGate(settings.TRANSCRIPTION_CONCURRENCY ?? 2 * CORES)

  /** Sends a file; again without what the server refuses: the hint of a language, or words of the person. */
  async function send(original: OriginalFile, call: Asked, signal: AbortSignal): Promise<unknown> {
    const { path, name } = original
    const { words, hint, key, pay, callSignal } = call
    signal.throwIfAborted()
    const file = await toFile(createReadStream(path), name, { type: TYPES[extname(name)]! })
    const { fields, named = language => ({ language }) } = takes
    const inField = takes.words === 'keywords' ? { keywords: words } : { prompt: words.join(', ') }
    const asked = { file, model, ...fields, ...(hint && named(hint)), ...(words.length && inField) }
    const headers = { 'idempotency-key': key }
    const create = async (): Promise<unknown> =>
      client.audio.transcriptions.create(asked as OpenAI.Audio.TranscriptionCreateParamsNonStreaming, {
        signal: callSignal,
        headers,
      })
    return pay(create).catch(async (error: unknown) => {
      if (hint && isAboutLanguage(error))
        return send(original, { ...call, hint: undefined, key: `${key}-without-language` }, signal)
      if (!words.length || !isRefusal(error)) throw error
      const others = call.isRepeat ? [] : notNamed(words, error)
      const again = { ...call, words: others, isRepeat: true, key: `${key}-${others.length}-words` }
      return send(original, again, signal)
    })
  }

  /** Sends a part as it came, or encoded if the server does not read that type of file. */
  async function sendPart(part: Part, hint: string | undefined, signal: AbortSignal) {
    const { original, samples, pieces, folder, key, pay = call => call(), callSignal = signal } = part
    const call = {
      words: (takes.words && part.words?.filter(word => !UNSENDABLE.test(word))) ?? [],
      hint,
      key,
      pay,
      callSignal,
    }
    try {
      if (original) return await send(original, call, signal)
    } catch (error) {
      if (!isAboutFile(error)) throw error
    }
    const path = join(folder, `${randomUUID()}.ogg`)
    try {
      await ffmpeg.encode(samples, pieces, path, signal)
      const again = original ? { ...call, key: `${key}-encoded` } : call
      return await send({ path, name: 'note.ogg' }, again, signal)
    } finally {
      await rm(path, { force: true })
    }
  }

  return {
    name: 'openai',
    model,
    takes,
    async recognise(part, language, signal) {
      const hint = hintOf(language, takes.hints)
      // Encoding is behind the gate, so it is as concurrent as the calls.
      const work = () => sendPart(part, hint, signal)
      try {
        const answer = await gate(work, signal, part.noteSeconds <= SHORT_NOTE_SECONDS)
        return readAnswer(answer, part.pieces)
      } catch (error) {
        signal.throwIfAborted()
        throw finalIfRefused(error, log)
      }
    },
  }
}

/** OpenAI refuses a whole call for one of these in a keyword. */
const UNSENDABLE = /[<>\r\n\u2028\u2029]/

/** Whether the server refuses something in a call, perhaps a person's own words: few say what. */
const isRefusal = (error: unknown): error is APIError =>
  error instanceof APIError && (error.status === 400 || error.status === 422)

const aboutOf = ({ param, message }: APIError) => `${param} ${message}`

/** Whether the server does not know the language; the call is repeated without the hint. */
const isAboutLanguage = (error: unknown): boolean =>
  isRefusal(error) && /language/i.test(aboutOf(error)) && !/keyword|prompt/i.test(aboutOf(error))

/** Returns the words that an error does not name, by place or as written; none when it names no word. */
function notNamed(words: readonly string[], error: APIError): readonly string[] {
  const about = aboutOf(error)
  const places = about.matchAll(/\[(\d+)\]/g).map(([, place]) => words[Number(place)])
  const named = new Set([...places, ...words.filter(word => about.includes(word))])
  const others = words.filter(word => !named.has(word))
  return others.length < words.length ? others : []
}

const REFUSED_FILE = [400, 413, 415, 422]

/** Whether the server refused the file; a refused call is free. */
const isAboutFile = (error: unknown): boolean =>
  error instanceof APIError && REFUSED_FILE.includes(error.status ?? 0) && !isUnpaid(error)

/** Returns the ISO 639-1 code; undefined for a language that the server does not know. */
function hintOf(language: string, known: readonly string[] | undefined): string | undefined {
  const iso = language === 'jw' ? 'jv' : language
  return /^[a-z]{2}$/.test(iso) && (!known || known.includes(iso)) ? iso : undefined
}

/** Returns an error that may pass as it is, any other as Unworkable. */
function finalIfRefused(error: unknown, log: Log): unknown {
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    // Without the answer itself, which the message of a SyntaxError quotes: it has people's words.
    const wrong = error instanceof z.ZodError ? error.issues.map(({ path }) => path.join('.')) : 'not JSON'
    log.error({ wrong }, 'the speech service answered in a shape that we do not know')
    return new Unworkable(reason('engine_unknown_answer'))
  }
  if (!(error instanceof APIError)) return error
  const { status, code, requestID } = error
  if (status === 401 || status === 403 || hasEnded(error) || isUnpaid(error)) {
    log.error({ status, code, requestID }, 'the speech service refuses our key or model, or it is not paid')
    return new Unworkable(reason('engine_refused_us'))
  }
  if (isAboutFile(error)) {
    // Without the message, which may quote the words that we sent.
    log.warn({ status, code, requestID, param: error.param }, 'the speech service refused a recording')
    return new Unworkable(reason('engine_refused_audio'))
  }
  return error
}
