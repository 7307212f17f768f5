import type { Transcription } from '@voxscribe/contracts/http'
import type { Reason } from '@voxscribe/contracts/reasons'
import type { Span } from '../audio/levels.ts'
import type { PartSpeech, RawSegment } from '../engines/engine.ts'
import type { Loop } from './loops.ts'

/** A finished part; later attempts reuse it. */
export interface SavedPart extends PartSpeech, Span {
  engine: string
  /** The requested language. */
  asked: string
}

/** A stretch of text with its times, in seconds of the note. */
export interface Segment extends Omit<RawSegment, 'noSpeech'> {
  id: string
  /** Id of who says it, where speakers are told apart. */
  speaker?: string
}

export type Speaker = Transcription['speakers'][number]
/** The engine of a text, and those that did not serve. */
export type UsedEngine = NonNullable<Transcription['engine']>

/** An engine's result for a note. */
export interface Speech {
  text: string
  segments: Segment[]
  timesExact: boolean
  wordCount: number
  confidence: number | null
  spokenLanguage: string
  engine: UsedEngine | null
  /** US dollars. */
  engineCost: number
  notices: Reason[]
  /** Words that were cut, as the engine repeated itself. */
  loops?: Loop[]
  /** Its speakers, where the engine or two channels tell them apart. */
  speakers?: Speaker[]
  /** Whether its speakers are its two channels. */
  isTwoSided?: boolean
}
