import { setTimeout as wait } from 'node:timers/promises'
import {
  boundedFetch,
  counter,
  createUnderWay,
  type Logger,
  Problem,
  refusal,
  refusedFor,
} from '@voxscribe/service'
import { NotNow, openAiClient } from '@voxscribe/speech'
import { APIConnectionError, APIError } from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { FREE, type Pay } from '../queue/spending.ts'
import type { TranscriptionSettings } from '../settings.ts'
import { knownPrice } from './known-prices.ts'
import { mayBeIn } from './scripts.ts'

const textModelTokens = counter({
  name: 'text_model_tokens_total',
  help: 'Tokens of calls of the text model, as it counts them',
  labelNames: ['model', 'kind'],
})

const { createClient, createGate } = await openAiClient()

/** A request to a text model. */
export interface Prompt<T> {
  /** Letters, digits, `_` and `-`. */
  name: string
  instructions: string
  /** People's words and their context: as JSON, whose quotes no text can close, or as lines that no text can end. */
  data: object | string
  /** Schema of the answer. Limits are refinements, which the request omits, as servers differ in those they know. */
  schema: z.ZodType<T>
  /** The language that the answer must be in, and a function that returns its text. */
  written?: { language: string; textOf(answer: T): string }
}

export interface TextModel {
  name: string
  /** Asks, and asks once more if the answer is unusable. Throws 429, 502 or 503. */
  ask<T>(task: Prompt<T>, signal: AbortSignal): Promise<T>
  /** Asks once; undefined if the answer is unusable. Throws 429, 502 or 503. */
  askOnce<T>(task: Prompt<T>, signal: AbortSignal): Promise<T | undefined>
}

type Asked<T> = Prompt<T> & { userId: string }

type Settings = Pick<
  TranscriptionSettings,
  | 'TEXT_MODEL'
  | 'TEXT_BASE_URL'
  | 'TEXT_API_KEY'
  | 'TEXT_PRICE'
  | 'TEXT_TIMEOUT'
  | 'OPENAI_BASE_URL'
  | 'OPENAI_API_KEY'
>

/** Over all notes of this process. */
const CALLS_AT_ONCE = 4
const TRIES = 2
const WAIT_MAX_MS = 60_000
const WAIT_MIN_MS = 100
const AWAY_SECONDS = 10

/** Ten times the size of an answer of a few hundred lines. */
const BYTES_MAX = 1_000_000

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
})

/** Of English text, to estimate a call's cost; the response has the actual number of tokens. */
const BYTES_PER_TOKEN = 4
const Usage = z.object({ usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }) })
const usageIn = (answer: unknown) => Usage.safeParse(answer).data?.usage

export type TextModels = ReturnType<typeof createTextModel>

/** Creates a client for OpenAI's chat completions, or any server with the same protocol. */
export function createTextModel(settings: Settings, log: Logger, paid: Pay) {
  const { TEXT_MODEL: model = '', TEXT_BASE_URL: baseURL = settings.OPENAI_BASE_URL } = settings
  // One provider's key must not go to another.
  const isSame = new URL(baseURL).origin === new URL(settings.OPENAI_BASE_URL).origin
  const apiKey = settings.TEXT_API_KEY ?? ((isSame && settings.OPENAI_API_KEY) || 'none')
  const fetch = boundedFetch(BYTES_MAX)
  const client = createClient({ apiKey, baseURL, fetch, timeout: settings.TEXT_TIMEOUT })
  const gate = createGate(CALLS_AT_ONCE)
  const counted = createUnderWay()
  /** Older servers know only `json_object`. */
  let knowsSchemas = true

  const known = settings.TEXT_PRICE ?? knownPrice(model, baseURL)
  const price = known ?? { input: 0, output: 0 }
  const isFree = known && !price.input && !price.output
  const pay = isFree ? FREE : paid
  const costOf = (read: number, written: number) => (read * price.input + written * price.output) / 1_000_000

  function costIn(answer: unknown): number | undefined {
    const usage = usageIn(answer)
    return usage && costOf(usage.prompt_tokens, usage.completion_tokens)
  }

  async function send({ name, instructions, data, schema }: Prompt<unknown>, signal: AbortSignal) {
    const format = zodResponseFormat(schema, name)
    const shape = `\n\nAnswer with JSON of this schema only: ${JSON.stringify(format.json_schema.schema)}`
    const system = instructions + (knowsSchemas ? '' : shape)
    const user = typeof data === 'string' ? data : JSON.stringify(data)
    const create = (): Promise<unknown> =>
      client.chat.completions.create(
        {
          model,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ],
          response_format: knowsSchemas ? format : { type: 'json_object' },
        },
        { signal },
      )
    const tokens = Buffer.byteLength(system + user) / BYTES_PER_TOKEN
    const expected = costOf(tokens, tokens)
    const answer = await pay(expected, create, costIn)
    const usage = usageIn(answer)
    if (usage) {
      textModelTokens.inc({ model, kind: 'input' }, usage.prompt_tokens)
      textModelTokens.inc({ model, kind: 'output' }, usage.completion_tokens)
    }
    return answer
  }

  /** Waits for a place. People with fewer calls go first, so that nobody waits for all calls of another person. */
  const inTurn = <T>(work: () => Promise<T>, signal: AbortSignal, userId: string): Promise<T> =>
    counted(userId, before => gate(work, signal, false, -before))

  /** Waits for a provider that throttles calls, for up to a minute, not counting the wait for a place. */
  async function patiently<T>(work: () => Promise<T>, signal: AbortSignal, userId: string): Promise<T> {
    for (let waitedMs = 0; ; ) {
      try {
        return await inTurn(work, signal, userId)
      } catch (error) {
        if (!(error instanceof NotNow)) throw error
        const waitMs = Math.max(error.afterMs, WAIT_MIN_MS)
        waitedMs += waitMs
        if (waitedMs > WAIT_MAX_MS) throw refusedFor(Math.ceil(waitMs / 1000), 'text_model_busy')
        await wait(waitMs, undefined, { signal })
      }
    }
  }

  /** Makes one call; undefined if the answer can't be read. */
  async function call(task: Asked<unknown>, signal: AbortSignal): Promise<unknown> {
    let limit: AbortSignal | undefined
    const work = () => {
      limit = AbortSignal.timeout(settings.TEXT_TIMEOUT)
      return send(task, AbortSignal.any([signal, limit]))
    }
    try {
      const { choices } = Completion.parse(await patiently(work, signal, task.userId))
      return JSON.parse(choices[0]?.message.content ?? '')
    } catch (error) {
      if (limit?.aborted || signal.reason?.name === 'TimeoutError') throw refusal('text_model_failed')
      signal.throwIfAborted()
      if (error instanceof Problem) throw error
      if (!(error instanceof APIError)) return undefined
      return refused(error, task, signal)
    }
  }

  function refused(error: APIError, task: Asked<unknown>, signal: AbortSignal): Promise<unknown> {
    const { status, code, requestID } = error
    if (
      knowsSchemas &&
      status === 400 &&
      /response_format|json_schema/i.test(`${error.param} ${error.message}`)
    ) {
      knowsSchemas = false
      return call(task, signal)
    }
    log.error({ status, code, requestID, err: error.name }, 'the text model does not answer')
    const isAway = (status ?? 0) >= 500 || error.constructor === APIConnectionError
    throw isAway ? refusedFor(AWAY_SECONDS, 'text_model_busy') : refusal('text_model_failed')
  }

  async function askOnce<T>(task: Asked<T>, signal: AbortSignal): Promise<T | undefined> {
    const answer = task.schema.safeParse(await call(task, signal))
    const { language, textOf } = task.written ?? {}
    const isRight = answer.success && (!language || !textOf || mayBeIn(language, textOf(answer.data)))
    if (isRight) return answer.data
    // Logged without the answer, which has people's words.
    const { issues } = answer.error ?? { issues: [{ path: ['text'], message: 'is in another language' }] }
    const wrong = issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    log.warn({ task: task.name, wrong }, 'the text model gave an unusable answer')
    return undefined
  }

  async function ask<T>(task: Asked<T>, signal: AbortSignal): Promise<T> {
    for (let tries = 1; tries <= TRIES; tries++) {
      const answer = await askOnce(task, signal)
      if (answer !== undefined) return answer
    }
    throw refusal('text_model_failed')
  }

  return {
    /** Returns the model for a person's calls. */
    forUser: (userId: string): TextModel => ({
      name: model,
      ask: (task, signal) => ask({ ...task, userId }, signal),
      askOnce: (task, signal) => askOnce({ ...task, userId }, signal),
    }),
  }
}
