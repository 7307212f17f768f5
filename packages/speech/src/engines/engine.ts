import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { endsSentence, sentencesOf, sharesOf } from '@voxscribe/contracts/text'
import type { Span } from '../audio/levels.ts'
import { lengthOfAll } from '../audio/pieces.ts'
import type { Abilities } from './entry.ts'

/** Notes up to this length never wait for a longer one. */
export const SHORT_NOTE_SECONDS = 60

/** Input of one call to an engine: stretches of speech from a note, in order. */
export interface Part {
  /** File with the whole note's samples: 16 kHz, mono, 16-bit little-endian, no header. */
  samples: string
  pieces: Span[]
  /** The uploaded file, if the part is the whole file and the engine accepts its type. */
  original?: OriginalFile
  /** Factor that amplifies the samples of a quiet recording. */
  gain: number
  /** Idempotency key of the call, from note, attempt and part. */
  key: string
  folder: string
  /** Length of the note; short notes come first. */
  noteSeconds: number
  /** Names and terms that the person expects; engines without this feature ignore them. */
  words?: readonly string[]
  /** Returns the language to assume where so little speech was taken for `guess`; absent if the language was told. */
  likelyLanguage?(guess: string): Promise<string>
  /** Makes a call that costs the price of the part. Throws Unworkable if it may not. */
  pay?<T>(call: () => Promise<T>): Promise<T>
  /** Aborts a paid call to a provider; on shutdown it fires later than the signal of other work. */
  callSignal?: AbortSignal
}

export interface OriginalFile {
  path: string
  /** File name, whose extension gives the type. */
  name: string
}

/** A word, in seconds of the note. */
export interface Word extends Span {
  text: string
  /** 0 to 1; null if the engine returns none. */
  confidence: number | null
}

/** A stretch of text, in seconds of the note. */
export interface RawSegment extends Word {
  words?: Word[]
  /** No-speech probability, 0 to 1, if the engine returns it. */
  noSpeech?: number
  /** The speaker, by the engine's name in this part. */
  speaker?: string
}

export interface PartSpeech {
  segments: RawSegment[]
  /** Language id; `auto` if the engine reports none. */
  language: string
  /** Whether the times are the engine's own. */
  timesExact: boolean
}

/** An engine that was tried or skipped before the one that served, and the code of the reason. */
export type SkippedEngine = TranscriptionDocument['passedOver'][number]

export interface Engine {
  /** Its name in the list. */
  name: string
  /** Its kind in the table of kinds. */
  kind: string
  model: string
  abilities: Abilities
  /** Recognizes a part. Throws Unworkable for a final failure, `NotNow` for a pause; other errors are failed tries. */
  recognise(part: Part, language: string, signal: AbortSignal): Promise<PartSpeech>
}

/** Returns the language with the most speaking time; undefined if no engine reported any. */
export function mostSpoken(parts: PartSpeech[]): string | undefined {
  const secondsByLanguage = new Map<string, number>()
  for (const { language, segments } of parts) {
    if (language === 'auto' || !segments.length) continue
    secondsByLanguage.set(language, (secondsByLanguage.get(language) ?? 0) + lengthOfAll(segments))
  }
  const [longest] = [...secondsByLanguage].sort(([, a], [, b]) => b - a)
  return longest?.[0]
}

/** Returns the mean confidence, weighted by length; null if there is none. */
export function meanConfidence(spans: Omit<Word, 'text'>[]): number | null {
  const sure = spans.filter(({ confidence }) => confidence !== null)
  const seconds = lengthOfAll(sure)
  if (seconds <= 0) return null
  const sum = sure.reduce((sum, { confidence, from, to }) => sum + (confidence ?? 0) * (to - from), 0)
  return Math.min(1, Math.max(0, sum / seconds))
}

/** Joins words into one segment; returns [] for no words. */
export function segmentOf(words: Word[], joiner = ' '): RawSegment[] {
  const [first, last] = [words[0], words.at(-1)]
  if (!first || !last) return []
  const text = words.map(word => word.text).join(joiner)
  return [{ from: first.from, to: last.to, text, confidence: meanConfidence(words), words }]
}

/** Splits words into segments, one per sentence, and where the speaker changes. */
export function inSentences(words: (Word & { speaker?: string })[], joiner = ' '): RawSegment[] {
  const lines: (typeof words)[] = []
  for (const word of words) {
    const last = lines.at(-1)
    const before = last?.at(-1)
    if (!last || !before || endsSentence(before.text) || before.speaker !== word.speaker) lines.push([word])
    else last.push(word)
  }
  return lines.flatMap(line => {
    const speaker = line[0]?.speaker
    const spokenWords = line.map(({ speaker: _, ...word }) => word)
    return segmentOf(spokenWords, joiner).map(segment => ({ ...segment, ...(speaker && { speaker }) }))
  })
}

/** Tolerance, because servers round the length of a file. */
const ROUNDED_SECONDS = 0.5

/** Whether times fit audio of so many seconds: they never go backward or exceed its end. */
export const areTimes = (spans: readonly Span[], seconds: number): boolean =>
  spans.every(
    ({ from, to }, at) => from >= (spans[at - 1]?.from ?? 0) && to >= from && to <= seconds + ROUNDED_SECONDS,
  )

/** Splits a text without times into sentences, and spreads them over the speech in proportion to their length. */
export function estimateTimes(text: string, pieces: Span[], confidence: number | null): RawSegment[] {
  const spoken = sentencesOf(text)
  const shares = sharesOf({ from: 0, to: lengthOfAll(pieces) }, spoken)
  return shares.map(({ from, to }, at) => ({
    from: noteTime(pieces, from),
    to: noteTime(pieces, to, true),
    text: spoken[at] ?? '',
    confidence,
  }))
}

/** Converts a second of a part to one of its note. At a border, `isEnd` selects the end of the earlier piece. */
export function noteTime(pieces: Span[], second: number, isEnd = false): number {
  let left = Math.max(0, second)
  for (const { from, to } of pieces) {
    const length = to - from
    if (left < length || (isEnd && left <= length + 1e-6)) return hundredth(from + Math.min(left, length))
    left -= length
  }
  return hundredth(pieces.at(-1)?.to ?? 0)
}

export const hundredth = (seconds: number) => Math.round(seconds * 100) / 100
