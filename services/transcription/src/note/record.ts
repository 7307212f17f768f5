import type { Reason, Source } from '@voxscribe/contracts/events'
import type { WithOutbox } from '@voxscribe/service'
import { Schema } from 'mongoose'
import type { PartSpeech } from '../engines/engine.ts'

/** What a note in progress is at. */
export type Stage = 'normalising' | 'waiting-for-engine' | 'reserving' | 'recognising'

/** A part that is recognised already: a repeat does not pay for it again. */
export interface SavedPart extends PartSpeech {
  index: number
  engine: string
}

/** A note: from its arrival to its text. Its id is its medium's, so that a medium is charged at most once. */
export interface NoteRecord extends WithOutbox {
  _id: string
  userId: string
  traceId: string
  source: Source
  fileName: string
  /** Bytes of the file. */
  bytes: number
  /** Where the audio is; null when it is gone or never came. */
  objectKey: string | null
  /** The language that is expected: a language id. */
  language: string
  createdAt: Date
  status: 'processing' | 'completed' | 'failed'
  /** 1 for the first transcription, one more for each refresh. */
  attempt: number
  stage: Stage | null
  /** Since when it is at this stage. */
  since: Date
  parts: SavedPart[]
  durationSeconds: number | null
  isSilent: boolean
  text: string
  wordCount: number
  confidence: number | null
  /** The language that was heard; null while unknown. */
  spokenLanguage: string | null
  engine: string | null
  notice: string | null
  error: Reason | null
  /** The attempt that the text is from; null when there is none. */
  completedAttempt: number | null
  /** Deleted by the person: what is left only keeps a repeat from bringing it back. */
  deletedAt: Date | null
  forgetAt: Date | null
}

const mixed = Schema.Types.Mixed

export const noteSchema = () =>
  new Schema<NoteRecord>({
    _id: String,
    userId: String,
    traceId: String,
    source: mixed,
    fileName: String,
    bytes: Number,
    objectKey: String,
    language: String,
    createdAt: Date,
    status: String,
    attempt: Number,
    stage: String,
    since: Date,
    parts: { type: [mixed], default: undefined },
    durationSeconds: Number,
    isSilent: Boolean,
    text: String,
    wordCount: Number,
    confidence: Number,
    spokenLanguage: String,
    engine: String,
    notice: String,
    error: mixed,
    completedAttempt: Number,
    deletedAt: Date,
    forgetAt: Date,
  } as never)
    .index({ userId: 1, createdAt: -1 })
    .index({ status: 1, stage: 1, since: 1 })
    .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })
