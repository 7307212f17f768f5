import type { Transcription } from '@voxscribe/contracts/http'
import type { Reason } from '@voxscribe/contracts/reasons'
import type { Span } from '../audio/levels.ts'
import type { PartSpeech, RawSegment } from '../engines/engine.ts'
import type { Loop } from './loops.ts'

/** A finished part, which later attempts reuse. */
export interface SavedPart extends PartSpeech, Span {
  engine: string
  /** The requested language. */
  asked: string
}

/** A stretch of text with its times, in seconds of the note. */
export interface Segment extends Omit<RawSegment, 'noSpeech'> {
  id: string
  /** Id of the speaker, if speakers are distinguished. */
  speaker?: string
}

export type Speaker = Transcription['speakers'][number]
/** The engine of a text, and the engines that didn't serve. */
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
  /** Words that were removed because the engine repeated itself. */
  loops?: Loop[]
  /** Its speakers, if the engine or two channels distinguish them. */
  speakers?: Speaker[]
  /** Whether its speakers are the two channels. */
  isTwoSided?: boolean
}
