import { languageIdOf } from '@voxscribe/contracts/languages'
import { sharesOf } from '@voxscribe/contracts/text'
import { z } from 'zod'
import type { Span } from '../audio/levels.ts'
import { lengthOfAll } from '../audio/pieces.ts'
import {
  areTimes,
  estimateTimes,
  meanConfidence,
  noteTime,
  type PartSpeech,
  type RawSegment,
} from './engine.ts'

/** Treats an optional field of another shape as absent, because servers with this protocol differ in them. */
const optional = <S extends z.ZodType>(schema: S) => schema.nullish().catch(null)

const Measure = optional(z.number())
/** Seconds, which some servers send as text; null: not a time. */
const Seconds = optional(
  z
    .number()
    .or(
      z
        .string()
        .regex(/^\s*\d+(\.\d+)?\s*$/)
        .transform(Number),
    )
    .pipe(z.number().nonnegative()),
)

const Segment = z.object({
  text: z.string(),
  start: Seconds,
  end: Seconds,
  avg_logprob: Measure,
  no_speech_prob: Measure,
})
const Segments = z.array(Segment).min(1)
const Words = z.array(z.object({ word: z.string(), start: z.number(), end: z.number() }))

/** The fields used from a JSON response. */
const Answer = z
  .object({
    text: z.string().nullish(),
    /** A lower-case English name (`english`) or a code. */
    language: optional(z.string()),
    /** Empty if the model is unsure. */
    languages: optional(z.array(z.object({ code: z.string() }))),
    logprobs: optional(z.array(z.object({ logprob: Measure }))),
    segments: optional(Segments),
    words: optional(Words),
  })
  .refine(({ text, segments }) => text != null || segments, { path: ['text'] })

const confidenceOf = (logprob: number | null | undefined) =>
  typeof logprob === 'number' ? Math.exp(logprob) : null

const middleOf = ({ from, to }: Span) => (from + Math.max(from, to)) / 2

/** Parses the response about these pieces of a note. Throws a ZodError if it has no text. */
export function readAnswer(answer: unknown, pieces: Span[]): PartSpeech {
  const { text, language, languages, logprobs, segments, words } = Answer.parse(fromText(answer))
  const spoken = languageIdOf(languages?.[0]?.code ?? language ?? '') ?? 'auto'
  const isWritten = segments?.some(segment => segment.text.trim())
  if (!segments || (text?.trim() && !isWritten)) {
    const tokens = (logprobs ?? []).map(({ logprob }) => ({
      from: 0,
      to: 1,
      confidence: confidenceOf(logprob),
    }))
    return {
      segments: estimateTimes(text ?? '', pieces, meanConfidence(tokens)),
      language: spoken,
      timesExact: false,
    }
  }
  const seconds = lengthOfAll(pieces)
  const times = timesOf(segments, seconds)
  const spans =
    times ??
    sharesOf(
      { from: 0, to: seconds },
      segments.map(({ text }) => text),
    )
  const heard = segments.map(({ text, avg_logprob, no_speech_prob }, at) => ({
    from: noteTime(pieces, spans[at]?.from ?? 0),
    to: noteTime(pieces, spans[at]?.to ?? 0, true),
    text: text.trim(),
    confidence: confidenceOf(avg_logprob),
    // Whisper's own rule: confident words are speech whatever the probability.
    ...(no_speech_prob && (avg_logprob ?? -2) <= -1 ? { noSpeech: no_speech_prob } : {}),
  }))
  const timed = words?.map(({ word, start, end }) => ({ word, from: start, to: end })) ?? []
  const hasWords = times && areTimes(timed, seconds)
  // Sorted by their middle, as starts and ends may be slightly off.
  const ordered = heard.toSorted((one, other) => middleOf(one) - middleOf(other))
  return {
    segments: hasWords ? withWords(ordered, timed, pieces) : ordered,
    language: spoken,
    timesExact: times !== undefined,
  }
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Assigns words to segments if they are the same one by one; servers omit punctuation from words. */
function withWords(segments: RawSegment[], words: (Span & { word: string })[], pieces: Span[]): RawSegment[] {
  let next = 0
  return segments.map(segment => {
    const segmentWords = segment.text.split(/\s+/).filter(lettersOf)
    const own = words.slice(next, next + segmentWords.length)
    next += segmentWords.length
    const isSame = segmentWords.every((text, at) => lettersOf(text) === lettersOf(own[at]?.word ?? ''))
    if (!isSame || !segmentWords.length) return segment
    const within = (second: number) => Math.min(Math.max(second, segment.from), segment.to)
    const timed = own.map(({ from, to }, at) => ({
      text: segmentWords[at] ?? '',
      from: within(noteTime(pieces, from)),
      to: within(noteTime(pieces, to, true)),
      confidence: null,
    }))
    return { ...segment, words: timed }
  })
}

/** Parses a response that isn't declared as JSON: it is JSON anyway, plain text, or a proxy's error page. */
function fromText(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  if (/^\s*\{/.test(answer)) return JSON.parse(answer)
  return { text: /^(\s*<|$)/.test(answer) ? null : answer }
}

/** Returns the times of all segments; undefined if one can't be parsed or starts past the end of the audio. */
function timesOf(segments: z.output<typeof Segments>, seconds: number): Span[] | undefined {
  const times = segments.flatMap(({ start, end }) =>
    typeof start === 'number' && typeof end === 'number' && start <= seconds
      ? [{ from: start, to: end }]
      : [],
  )
  return times.length === segments.length ? times : undefined
}
