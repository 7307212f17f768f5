import { lengthOfAll } from '../audio/pieces.ts'
import type { Span } from '../audio/span.ts'
import type { Abilities } from './abilities.ts'
import { sentencesOf } from './sentences.ts'

/** Notes up to a minute are short: they never wait until a long one is done. */
export const SHORT_NOTE_SECONDS = 60

/** Input of one call to an engine: stretches of a note with speech in them, in order. */
export interface Part {
  /** File of the whole note's samples: 16 kHz, mono, 16-bit little-endian, no header. */
  samples: string
  pieces: Span[]
  /** The file as it came, where the part is all of it and the engine takes such files. */
  original?: Original
  /** Multiplies the samples: a quiet recording is brought up. */
  gain: number
  /** The same for the same part of the same attempt: a call that costs money carries it. */
  key: string
  /** A folder of this note's own, deleted afterwards. */
  folder: string
  /** Length of the whole note: where several wait, the shortest comes first. */
  noteSeconds: number
}

export interface Original {
  path: string
  /** Name that says what it is: the protocol has no other way. */
  name: string
}

/** A stretch of text, in seconds of the note. */
export interface HeardSegment extends Span {
  text: string
  /** 0 to 1; null when the engine gives none. */
  confidence: number | null
  words?: (Span & { text: string; confidence: number | null })[]
  /** No-speech probability, 0 to 1, where the engine gives it. */
  noSpeech?: number
}

export interface PartSpeech {
  segments: HeardSegment[]
  /** A language id, `auto` when the engine does not tell. */
  language: string
  /** Whether the times are the engine's own. */
  timesExact: boolean
}

/** A better engine that did not serve a note, and why. */
export interface PassedBy {
  name: string
  reason: string
}

/** One way to turn speech into text. */
export interface Engine {
  name: 'openai' | 'local' | 'sphinx'
  model: string
  takes: Abilities
  /** Whether it hears better when every recording is brought to one loudness first. */
  wantsEvenLoudness?: boolean
  /** Throws `Later` while its provider asks us to wait. */
  throwIfClosed?(): void
  /**
   * Recognises one part. Throws Unworkable when that can never work, `Later` when it cannot for now; anything else is
   * tried again. Stops at once when the signal says so.
   */
  recognise(part: Part, language: string, signal: AbortSignal): Promise<PartSpeech>
}

/** The mean of confidences, weighted; null when there is none. */
export function meanOf(values: { value: number; weight: number }[]): number | null {
  const weight = values.reduce((sum, each) => sum + each.weight, 0)
  if (weight <= 0) return null
  const mean = values.reduce((sum, each) => sum + each.value * each.weight, 0) / weight
  return Math.min(1, Math.max(0, mean))
}

/** Cuts a text without times into sentences, and lays them over the stretches of speech in proportion. */
export function layOver(text: string, pieces: Span[], confidence: number | null): HeardSegment[] {
  const spoken = sentencesOf(text)
  const letters = spoken.reduce((sum, sentence) => sum + sentence.length, 0)
  const perLetter = lengthOfAll(pieces) / Math.max(1, letters)
  let read = 0
  return spoken.map(sentence => {
    const from = noteTime(pieces, read * perLetter)
    read += sentence.length
    return { from, to: noteTime(pieces, read * perLetter, true), text: sentence, confidence }
  })
}

/** A second of a part as a second of its note. At a border `isEnd` means the end of the earlier piece. */
export function noteTime(pieces: Span[], second: number, isEnd = false): number {
  let left = Math.max(0, second)
  for (const { from, to } of pieces) {
    const length = to - from
    if (left < length || (isEnd && left <= length + 1e-6)) return round(from + Math.min(left, length))
    left -= length
  }
  return round(pieces.at(-1)?.to ?? 0)
}

const round = (seconds: number) => Math.round(seconds * 100) / 100
