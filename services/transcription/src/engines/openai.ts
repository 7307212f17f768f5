import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { languageIdOf, officialLanguages } from '@voxscribe/contracts/languages'
import type { Logger } from '@voxscribe/service'
import OpenAI, { APIError, toFile } from 'openai'
import { z } from 'zod'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { Unworkable } from '../failure.ts'
import { AUDIO_REFUSED, KEY_REFUSED, UNKNOWN_ANSWER } from '../reasons.ts'
import { type Engine, meanOf, type PartSpeech } from './engine.ts'

interface Options {
  apiKey: string
  baseUrl: string
  model: string
  timeoutMs: number
  ffmpeg: Ffmpeg
  log: Logger
}

/** The models take 1400 s and 25 MB; Opus at 32 kbit/s is far below that, and a call must end within its limit. */
const MAX_PART_SECONDS = 1_200

/** OpenAI's transcription, or any server that speaks the same. */
export function createOpenAi({ apiKey, baseUrl, model, timeoutMs, ffmpeg, log }: Options): Engine {
  // The library would try again by itself and pay again; the bus does that, and knows when to give up.
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0, timeout: timeoutMs })
  const family = familyOf(model)
  return {
    name: `openai ${model}`,
    maxPartSeconds: MAX_PART_SECONDS,
    async recognise(part, language, signal) {
      const path = join(part.folder, `part-${part.span.from}.ogg`)
      await ffmpeg.encode(part.samples, part.span, path, signal)
      const ask = async (hint: string | undefined, key: string) => {
        // The server tells the format by the name's ending, and refuses `.opus`.
        const file = await toFile(createReadStream(path), 'note.ogg', { type: 'audio/ogg' })
        const asked = { file, model, ...family.asking(hint) }
        const headers = { 'idempotency-key': key }
        return client.audio.transcriptions.create(
          asked as OpenAI.Audio.TranscriptionCreateParamsNonStreaming,
          { signal, headers },
        )
      }
      const hint = hintOf(language, family.hints)
      try {
        const answer = await ask(hint, part.key).catch(error => {
          if (!hint || !isAboutLanguage(error)) throw error
          return ask(undefined, `${part.key}-without-language`)
        })
        return family.reading(answer)
      } catch (error) {
        signal.throwIfAborted()
        throw judged(error, log)
      }
    },
  }
}

/** A hint is a help, not a wish: a server that does not know the language is asked once more without. */
const isAboutLanguage = (error: unknown): boolean =>
  error instanceof APIError && error.status === 400 && /language/i.test(`${error.param} ${error.message}`)

interface Family {
  /** The hints that it takes; undefined: all two-letter codes. */
  hints?: readonly string[]
  /** What is asked besides file and model. `language`: ISO 639-1, undefined to let the model find out. */
  asking(language: string | undefined): Record<string, unknown>
  reading(answer: unknown): PartSpeech
}

const named = (language: string | undefined) => (language ? { language } : {})

const Json = z.object({
  text: z.string(),
  languages: z.array(z.object({ code: z.string() })).optional(),
  language: z.string().optional(),
  logprobs: z.array(z.object({ logprob: z.number().optional() })).optional(),
})
const Verbose = z.object({
  text: z.string(),
  /** A lower-case English name: `english`. */
  language: z.string().default(''),
  segments: z
    .array(
      z.object({
        text: z.string(),
        start: z.number(),
        end: z.number(),
        avg_logprob: z.number(),
        no_speech_prob: z.number().default(0),
      }),
    )
    .optional(),
})

function readJson(answer: unknown): PartSpeech {
  const { text, languages, language, logprobs = [] } = Json.parse(answer)
  const told = logprobs.flatMap(({ logprob }) => (logprob === undefined ? [] : [Math.exp(logprob)]))
  return {
    text: text.trim(),
    language: languageIdOf(languages?.[0]?.code ?? language ?? '') ?? 'auto',
    confidence: meanOf(told.map(value => ({ value, weight: 1 }))),
  }
}

/** Whisper's own rule for a segment in which no one speaks: it would otherwise make something up. */
const isSpeech = ({ no_speech_prob, avg_logprob }: { no_speech_prob: number; avg_logprob: number }) =>
  no_speech_prob <= 0.6 || avg_logprob > -1

function readVerbose(answer: unknown): PartSpeech {
  const { text, language, segments } = Verbose.parse(answer)
  const spoken = segments?.filter(isSpeech)
  const weighed = spoken?.map(segment => ({
    value: Math.exp(segment.avg_logprob),
    weight: segment.end - segment.start,
  }))
  return {
    text: (spoken ? spoken.map(segment => segment.text).join('') : text).trim(),
    language: languageIdOf(language) ?? 'auto',
    confidence: meanOf(weighed ?? []),
  }
}

const gptTranscribe: Family = {
  hints: officialLanguages,
  asking: language => ({ response_format: 'json', ...(language ? { languages: [language] } : {}) }),
  reading: readJson,
}
const gpt4o: Family = {
  hints: officialLanguages,
  asking: language => ({ response_format: 'json', include: ['logprobs'], ...named(language) }),
  reading: readJson,
}
const diarize: Family = {
  hints: officialLanguages,
  // Required by this model for more than 30 seconds.
  asking: language => ({ response_format: 'json', chunking_strategy: 'auto', ...named(language) }),
  reading: readJson,
}
const whisper1: Family = {
  hints: officialLanguages,
  asking: language => ({ response_format: 'verbose_json', ...named(language) }),
  reading: readVerbose,
}
/** What every server of this kind understands. */
const other: Family = {
  asking: language => ({ response_format: 'json', ...named(language) }),
  reading: readJson,
}

function familyOf(model: string): Family {
  if (/^gpt-4o.*-diarize/.test(model)) return diarize
  if (/^gpt-4o(-mini)?-transcribe/.test(model)) return gpt4o
  if (/^gpt-transcribe/.test(model)) return gptTranscribe
  return model === 'whisper-1' ? whisper1 : other
}

/** ISO 639-1, as Whisper's ids are but for a few; undefined for what the server does not know. */
function hintOf(language: string, known: readonly string[] | undefined): string | undefined {
  const iso = language === 'jw' ? 'jv' : language
  return /^[a-z]{2}$/.test(iso) && (!known || known.includes(iso)) ? iso : undefined
}

/** What trying again can help, and what not. */
function judged(error: unknown, log: Logger): unknown {
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    log.error({ problem: error.message }, 'the speech service answered in a shape that we do not know')
    return new Unworkable(UNKNOWN_ANSWER)
  }
  if (!(error instanceof APIError)) return error
  const { status, code, requestID } = error
  const isUnpaid = code === 'insufficient_quota' || error.type === 'insufficient_quota'
  if (status === 401 || status === 403 || isUnpaid) {
    log.error({ status, code, requestID }, 'the speech service does not accept our key, or it is not paid')
    return new Unworkable(KEY_REFUSED)
  }
  if (status === 400 || status === 413 || status === 415 || status === 422) {
    log.warn({ status, code, requestID, message: error.message }, 'the speech service refused a recording')
    return new Unworkable(AUDIO_REFUSED)
  }
  return error
}
