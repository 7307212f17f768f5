import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { isoCodeOf } from '@voxscribe/contracts/languages'
import { reason } from '@voxscribe/contracts/reasons'
import { APIError, toFile } from 'openai'
import { z } from 'zod'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { Unworkable } from '../errors.ts'
import type { Host, Log } from '../host.ts'
import { CORES } from '../settings.ts'
import { type Engine, type OriginalFile, type Part, type PartSpeech, SHORT_NOTE_SECONDS } from './engine.ts'
import { abilitiesOf, type EngineEntry } from './entry.ts'
import { type HostedModel, knownModel } from './known-models.ts'
import { createClient, createGate, hasEnded, isUnpaid } from './openai-client.ts'

/** A request to a server, without its file. */
export interface Question {
  model: string
  abilities: HostedModel
  /** ISO 639-1 code; undefined: the server detects the language. */
  hint: string | undefined
  /** The person's own words; [] if the server receives none. */
  words: readonly string[]
}

/** How to call a kind of server and read its responses. */
export interface Dialect {
  /** Its address if the list has none. */
  url: string
  /** Path after the address. */
  path: string
  /** Default: the key as a bearer token. */
  headers?(key: string): Record<string, string | null>
  /** Returns the words that the server accepts, in the form that it accepts. */
  wordsFor(words: readonly string[]): readonly string[]
  /** A list is sent as one field of that name per entry; undefined is omitted. */
  fieldsOf(asked: Question): Record<string, string | readonly string[] | undefined>
  /** Throws a ZodError if the response has no text. */
  read(answer: unknown, pieces: Part['pieces'], abilities: HostedModel): PartSpeech
}

interface Deps extends Pick<Host, 'boundedFetch' | 'log'> {
  ffmpeg: Ffmpeg
  /** Timeout in milliseconds if the list has none. */
  timeoutMs: number
}

/** Types by file extension: servers go by the extension, and refuse `.opus`. */
const TYPES: Record<string, string> = { '.ogg': 'audio/ogg', '.mp3': 'audio/mpeg', '.m4a': 'audio/mp4' }
/** A hundred times the words and times of an hour. */
const ANSWER_BYTES_MAX = 64_000_000

/** The data of one call: the person's words, the language, the idempotency key. */
interface Asked {
  words: readonly string[]
  hint: string | undefined
  key: string
  pay: NonNullable<Part['pay']>
  callSignal: AbortSignal
  /** Whether words have already been left out. */
  isRepeat?: boolean
}

/** An engine of a provider, or of any server that speaks the same protocol. */
export function createHosted(
  entry: EngineEntry,
  dialect: Dialect,
  { ffmpeg, boundedFetch, ...deps }: Deps,
): Engine {
  const { name, kind, model = '', url: baseURL = dialect.url, key: apiKey = 'none' } = entry
  const { timeout = deps.timeoutMs, concurrency = 2 * CORES } = entry
  const { log } = deps
  const fetch = boundedFetch(ANSWER_BYTES_MAX)
  const defaultHeaders = dialect.headers?.(apiKey) ?? {}
  const client = createClient({ apiKey, baseURL, fetch, timeout, defaultHeaders })
  const known = abilitiesOf(entry, knownModel(kind, model, baseURL).abilities)
  const abilities = { ...known, perMinute: known.perMinute * (known.words ? (known.wordsCost ?? 1) : 1) }
  const gate = createGate(concurrency)

  /** Sends a file; retries without what the server refuses: the language hint, or some of the person's words. */
  async function send(original: OriginalFile, call: Asked, signal: AbortSignal): Promise<unknown> {
    const { path, name: fileName } = original
    const { words, hint, key, pay, callSignal } = call
    signal.throwIfAborted()
    const body = new FormData()
    const type = TYPES[extname(fileName)]!
    body.append('file', await toFile(createReadStream(path), fileName, { type }), fileName)
    for (const [field, values = []] of Object.entries(dialect.fieldsOf({ model, abilities, hint, words })))
      for (const value of [values].flat()) body.append(field, value)
    const headers = { 'idempotency-key': key }
    const create = async (): Promise<unknown> =>
      client.post(dialect.path, { body, signal: callSignal, headers })
    return pay(create).catch(async (error: unknown) => {
      if (hint && isLanguageError(error))
        return send(original, { ...call, hint: undefined, key: `${key}-without-language` }, signal)
      if (!words.length || !isRefusal(error)) throw error
      const others = call.isRepeat ? [] : notNamed(words, error)
      const again = { ...call, words: others, isRepeat: true, key: `${key}-${others.length}-words` }
      return send(original, again, signal)
    })
  }

  /** Sends a part unchanged, or encoded if the server doesn't accept that type of file. */
  async function sendPart(part: Part, hint: string | undefined, signal: AbortSignal) {
    const { original, samples, pieces, folder, key, pay = call => call(), callSignal = signal } = part
    const call = {
      words: abilities.words && part.words ? dialect.wordsFor(part.words) : [],
      hint,
      key,
      pay,
      callSignal,
    }
    try {
      if (original && (await isSmall(original.path))) return await send(original, call, signal)
    } catch (error) {
      if (!isFileError(error)) throw error
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

  const isSmall = async (path: string) => !abilities.maxBytes || (await stat(path)).size <= abilities.maxBytes

  return {
    name,
    kind,
    model,
    abilities,
    async recognise(part, language, signal) {
      const hint = hintOf(language, abilities.hints)
      // Encoding happens inside the gate, so it is as concurrent as the calls.
      const work = () => sendPart(part, hint, signal)
      try {
        const answer = await gate(work, signal, part.noteSeconds <= SHORT_NOTE_SECONDS)
        return dialect.read(answer, part.pieces, abilities)
      } catch (error) {
        signal.throwIfAborted()
        throw finalIfRefused(error, log)
      }
    },
  }
}

/** Whether the server refuses something in a call, perhaps the person's words: few servers say what. */
const isRefusal = (error: unknown): error is APIError =>
  error instanceof APIError && (error.status === 400 || error.status === 422)

const detailsOf = ({ param, message }: APIError) => `${param} ${message}`

/** Whether the server doesn't know the language; the call is then repeated without the hint. */
const isLanguageError = (error: unknown): boolean =>
  isRefusal(error) && /language/i.test(detailsOf(error)) && !/keyword|prompt/i.test(detailsOf(error))

/** Returns the words that an error doesn't name, by index or by text; [] if it names no word. */
function notNamed(words: readonly string[], error: APIError): readonly string[] {
  const about = detailsOf(error)
  const places = about.matchAll(/\[(\d+)\]/g).map(([, place]) => words[Number(place)])
  const named = new Set([...places, ...words.filter(word => about.includes(word))])
  const others = words.filter(word => !named.has(word))
  return others.length < words.length ? others : []
}

const REFUSED_FILE = [400, 413, 415, 422]

/** Whether the server refused the file; refused calls are free. */
const isFileError = (error: unknown): boolean =>
  error instanceof APIError && REFUSED_FILE.includes(error.status ?? 0) && !isUnpaid(error)

/** Returns the ISO 639-1 code; undefined if the server doesn't know the language. */
function hintOf(language: string, known: readonly string[] | undefined): string | undefined {
  const iso = isoCodeOf(language)
  return /^[a-z]{2}$/.test(iso) && (!known || known.includes(iso)) ? iso : undefined
}

/** Returns a temporary error as it is, and any other as Unworkable. */
function finalIfRefused(error: unknown, log: Log): unknown {
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    // The response isn't logged, nor a SyntaxError's message that quotes it, because it contains people's words.
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
  if (isFileError(error)) {
    // The message isn't logged, because it may quote the words that we sent.
    log.warn({ status, code, requestID, param: error.param }, 'the speech service refused a recording')
    return new Unworkable(reason('engine_refused_audio'))
  }
  return error
}
