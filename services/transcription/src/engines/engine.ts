import type { Span } from '../audio/chunking.ts'

/** A part of a note as an engine gets it: short enough for it, cut at a pause. */
export interface Part {
  /** File of the whole note's samples: 16 kHz, mono, 16-bit little-endian, no header. */
  samples: string
  span: Span
  /** Whether the part is the whole note. */
  isWhole: boolean
  /** The same for the same part of the same attempt: a call that costs money carries it. */
  key: string
  /** A folder of this note's own, deleted afterwards. */
  folder: string
}

export interface PartSpeech {
  text: string
  /** A language id, `auto` when the engine does not tell. */
  language: string
  /** 0 to 1; null when the engine gives none. */
  confidence: number | null
}

/** One way to turn speech into text. */
export interface Engine {
  /** Shown with the transcript: `openai gpt-transcribe`. */
  name: string
  /** The longest part that it takes. */
  maxPartSeconds: number
  /** Whether it hears better when every recording is brought to one loudness first. */
  wantsEvenLoudness?: boolean
  /**
   * Recognises one part. Throws Unworkable when that can never work; anything else is tried again. Stops at once
   * when the signal says so.
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
