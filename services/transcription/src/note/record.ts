import type { NoteSource } from '@voxscribe/contracts/events'
import type { Reason } from '@voxscribe/contracts/reasons'
import type { WithOutbox } from '@voxscribe/service'
import { Schema } from 'mongoose'
import type { Span } from '../audio/span.ts'
import type { PartSpeech, PassedBy } from '../engines/engine.ts'
import type { Lease } from './leases.ts'

export type Stage = 'normalising' | 'waiting-for-engine' | 'waiting-for-same' | 'reserving' | 'recognising'

/** A part that is recognised already: it is not paid for twice, whatever becomes of the attempt. */
export interface SavedPart extends PartSpeech, Span {
  engine: string
  /** The language that was asked for. */
  asked: string
}

/** A stretch of text with its times, in seconds of the note. */
export interface Segment extends Span {
  id: string
  text: string
  /** 0 to 1; null when the engine gives none. */
  confidence: number | null
  words?: (Span & { text: string; confidence: number | null })[]
}

/** The event by which billing has reserved the minutes of an attempt. */
export interface Reserved {
  id: string
  traceId: string
  seconds: number
  remainingSeconds: number
}

/** Which engine made the text, and why not a better one. */
export interface UsedEngine {
  name: string
  model: string | null
  instead: PassedBy[]
}

export interface TimelineEntry {
  /** A step of `steps.ts`, or what others did: `fetched`, `answered`. */
  step: string
  at: Date
  /** Why, or the engine. */
  detail: Reason | string | null
  /** Of the news by which it was heard of. */
  eventId?: string
}

/** The text as the engine gave it, kept when a person edits it. */
export interface Original {
  text: string
  wordCount: number
  segments: Segment[]
}

/** Properties that notes are counted by. */
export interface Place {
  status: NoteRecord['status']
  source: string
  language: string
  bytes: number
  /** Whole numbers add up without an error. */
  microseconds: number
}

export interface Counted {
  /** How many times it was counted. */
  times: number
  /** Null: not at all any more. */
  as: Place | null
}

/** A note: from its arrival to its text. Its id is its media's, so that it is charged at most once. */
export interface NoteRecord extends WithOutbox {
  _id: string
  userId: string
  traceId: string
  source: NoteSource
  fileName: string
  /** Title that the person gave it; null: the file's name. */
  title: string | null
  mime: string | null
  /** Bytes of the file. */
  bytes: number
  /** Key of the audio; null when it is gone or never came. */
  objectKey: string | null
  /** Of its bytes, hex; null when they never came. */
  sha256?: string | null
  /** Person and hash, while the note is the one that is recognised for these bytes, and afterwards; unique. */
  firstOf?: string
  /** The note whose text it was given, as the audio is the same: it costs nothing. */
  sameAs?: string | null
  /** The language that is expected: a language id. */
  language: string
  /** ISO 3166-1 alpha-2, of the person's number; null while unknown. */
  country?: string | null
  createdAt: Date
  status: 'processing' | 'completed' | 'failed'
  /** 1 for the first transcription, one more for each refresh. */
  attempt: number
  stage: Stage | null
  /** Since when it is at this stage without progress. */
  since: Date
  /** Which process works on it; null: none. */
  lease: Lease | null
  /** Its place in the line of notes to be measured, or listened to: the lowest is next. Null: it does not wait there. */
  turn: number | null
  /** Billing's yes to this attempt; null before. */
  reserved: Reserved | null
  parts: SavedPart[]
  durationSeconds: number | null
  isSilent: boolean
  /** Spans in which somebody speaks, in seconds: from, to, from, to. Null: it was not measured. */
  spoken: number[] | null
  /** How loud it is over its length, 0 to 1. */
  levels: number[]
  text: string
  segments: Segment[]
  /** Whether the segments' times are the engine's own. */
  timesExact: boolean
  wordCount: number
  confidence: number | null
  /** The language that was heard; null while unknown. */
  spokenLanguage: string | null
  engine: UsedEngine | null
  /** Cost of the engine, in US dollars. */
  engineCost: number
  /** Doubts about the text, or why the note waits. */
  notices?: Reason[]
  /** Only notes from before notices were reasons have one. */
  notice?: string | null
  error: Reason | null
  /** The attempt that the text is from; null when there is none. */
  completedAttempt: number | null
  /** The text before the person changed it; null: unchanged. */
  original: Original | null
  /** Secret that signs addresses of its audio; null until one was asked for. */
  audioKey: string | null
  /** Counts the changes of text and title. */
  version: number
  /** The engine that the person asked for with a refresh; null: the best. */
  askedEngine: string | null
  /** The newest refreshes, for their limit. */
  refreshedAt: Date[]
  timeline: TimelineEntry[]
  /** Deleted by the person: what is left only keeps a repeat from bringing it back. */
  deletedAt: Date | null
  forgetAt: Date | null
  /** Counts the steps that lists and numbers depend on. */
  changes?: number
  /** Set when lists and numbers know the newest of them; null or absent: not yet. */
  settled?: true | null
  /** Properties that it was last counted by. */
  counted?: Counted
  /** Words that it is found by. */
  words?: string[]
  /** The language that lists show it in. */
  listedLanguage?: string
}

/** Fields that a correction by the person writes. */
export type Edited = Partial<Pick<NoteRecord, 'title' | 'text' | 'segments' | 'wordCount' | 'original'>>

const mixed = Schema.Types.Mixed

export const noteSchema = () =>
  new Schema<NoteRecord>({
    _id: String,
    userId: String,
    traceId: String,
    source: mixed,
    fileName: String,
    title: String,
    mime: String,
    bytes: Number,
    objectKey: String,
    sha256: String,
    firstOf: String,
    sameAs: String,
    language: String,
    country: String,
    createdAt: Date,
    status: String,
    attempt: Number,
    stage: String,
    since: Date,
    lease: mixed,
    turn: Number,
    reserved: mixed,
    parts: { type: [mixed], default: undefined },
    durationSeconds: Number,
    isSilent: Boolean,
    spoken: { type: [Number], default: undefined },
    levels: { type: [Number], default: undefined },
    text: String,
    segments: { type: [mixed], default: undefined },
    timesExact: Boolean,
    wordCount: Number,
    confidence: Number,
    spokenLanguage: String,
    engine: mixed,
    engineCost: Number,
    notices: { type: [mixed], default: undefined },
    notice: String,
    error: mixed,
    completedAttempt: Number,
    original: mixed,
    audioKey: String,
    version: Number,
    askedEngine: String,
    refreshedAt: { type: [Date], default: undefined },
    timeline: { type: [mixed], default: undefined },
    deletedAt: Date,
    forgetAt: Date,
    changes: Number,
    settled: Boolean,
    counted: mixed,
    words: { type: [String], default: undefined },
    listedLanguage: String,
  } as never)
    .index({ userId: 1, createdAt: -1, _id: 1 })
    .index({ userId: 1, status: 1, createdAt: -1, _id: 1 })
    .index({ userId: 1, listedLanguage: 1, createdAt: -1, _id: 1 })
    .index({ userId: 1, 'source.channel': 1, createdAt: -1, _id: 1 })
    .index({ userId: 1, words: 1 })
    .index({ userId: 1, sha256: 1, createdAt: 1 })
    .index({ firstOf: 1 }, { unique: true, sparse: true })
    .index({ settled: 1, userId: 1 })
    .index({ status: 1, stage: 1, since: 1 })
    .index({ status: 1, stage: 1, turn: 1, since: 1 })
    .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })
