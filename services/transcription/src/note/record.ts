import type { GistChoice } from '@voxscribe/contracts/business'
import type { NoteSource, Source } from '@voxscribe/contracts/events'
import type { Transcription } from '@voxscribe/contracts/http'
import type { Reason } from '@voxscribe/contracts/reasons'
import { type Lease, schemaOf, type WithOutbox } from '@voxscribe/service'
import type { HeardTrack, SavedPart, Segment, Speaker, UsedEngine } from '@voxscribe/speech'
import type { QueryFilter } from 'mongoose'
import { z } from 'zod'
import type { FormTextRecord, GistRecord, TranslationRecord } from './derived.ts'

/** Copy of a file for players, with only the recognized track. */
export interface Played {
  bytes: number
  mime: string | null
}

/** Stages of a note in progress; the sweep limits the time in each. */
export const STAGES = [
  'normalising',
  'waiting-for-engine',
  'waiting-for-same',
  'reserving',
  'recognising',
] as const
export type Stage = (typeof STAGES)[number]

/** Slow work on a note that has its text. */
export const TEXT_STEPS = ['voices', 'summarising', 'forming'] as const
/** Kinds of slow work, each with its queue of notes; `pipeline.ts` describes them. */
export const WORK_STEPS = ['measuring', 'listening', ...TEXT_STEPS] as const
export type WorkStep = (typeof WORK_STEPS)[number]

/** Slow work that a note needs. */
export interface Work {
  step: WorkStep
  /** Its place in the queue: the lowest is next. */
  turn: number
  notBefore: Date
  /** Failures so far. */
  tries: number
  /** When it was queued, or made its last progress. */
  since: Date
  lease: Lease | null
  /** Share of the voice analysis that is done, 0 to 1. */
  progress?: number
}

/** Billing's event that reserved the minutes of an attempt. */
export interface Reserved {
  id: string
  traceId: string
  seconds: number
  /** Null without a limit. */
  remainingSeconds: number | null
}

/** The chat command that asked for an attempt. */
export interface Asked {
  eventId: string
  source: Source
}

/** A request to tell speakers apart. */
export interface AskedSpeakers {
  /** How many; null: to be determined. */
  count: number | null
  /** The chat command that asked; null: an API call did. */
  by: string | null
  /** Earlier commands; if redelivered, they get the current result and don't ask again. */
  earlier?: string[]
}

export interface TimelineEntry {
  /** A step of `life.ts`, or another entry: `fetched`, `answered`, `repeatsCut`. */
  step: string
  at: Date
  /** The reason, the engine, or the kind of answer. */
  detail: Reason | string | null
  eventId?: string
}

/** The text as the engine gave it, kept when a person edits it. */
export interface Original {
  text: string
  wordCount: number
  segments: Segment[]
}

const origin = {
  _id: z.string(),
  userId: z.string(),
  traceId: z.string(),
  source: z.custom<NoteSource>(),
  createdAt: z.date(),
}

/** The conversation that it came with. Its names are copies, which change with the conversation. */
const conversationPlace = {
  conversation: z
    .custom<{ id: string; name: string; n: number | null; file: string }>()
    .nullable()
    .optional(),
  sender: z.custom<{ id: string; name: string }>().nullable().optional(),
}

const file = {
  fileName: z.string(),
  mime: z.string().nullable().default(null),
  bytes: z.number(),
  /** Storage key of the audio; null if it is gone or never came. */
  objectKey: z.string().nullable(),
  /** SHA-256 of its bytes, hex; null if they never came. */
  sha256: z.string().nullable().optional(),
  /** Secret that signs links to its audio; null until the first link. */
  audioKey: z.string().nullable().default(null),
}

/** Its relation to notes with the same bytes. */
const sameBytes = {
  /** Unique key of the recognized note: person and hash (and language, if it repeats a note in a new language). */
  firstOf: z.string().optional(),
  /** The note with the same audio whose text it got, or which it repeats in another language; it is free. */
  sameAs: z.string().nullable().optional(),
}

/** Choices of its person, and what is known about them. */
const person = {
  /** Title that the person typed; null: derived from the file name, gist or text. */
  title: z.string().nullable().default(null),
  /** As typed, without `#`. */
  tags: z.array(z.string()).optional(),
  /** Id of the expected language. */
  language: z.string(),
  /** A program asked for its times. */
  wantsTimes: z.boolean().optional(),
  /** Country of the person's number, ISO 3166-1 alpha-2; null while unknown. */
  country: z.string().nullable().optional(),
  /** Language of the messages to its person, and which notes get a gist automatically. */
  uiLanguage: z.string().optional(),
  timeZone: z.string().optional(),
  gists: z.custom<GistChoice>().optional(),
}

const progress = {
  status: z.custom<Transcription['status']>(),
  /** 1 for the first transcription, one more for each refresh. */
  attempt: z.number().default(1),
  stage: z.custom<Stage | null>(),
  /** When this stage began; for work in progress, when it was claimed or last finished a part. */
  since: z.date(),
  /** The slow work that it needs; null: none. */
  work: z.custom<Work | null>().default(null),
  /** Minutes that billing has reserved for this attempt; null before. */
  reserved: z.custom<Reserved | null>().default(null),
  parts: z.custom<SavedPart[]>().default([]),
  /** The engine that a refresh asked for; null: the best. */
  askedEngine: z.string().nullable().default(null),
  /** The chat command that asked for this attempt; null: none did. */
  asked: z.custom<Asked | null>().default(null),
  error: z.custom<Reason | null>().default(null),
  timeline: z.custom<TimelineEntry[]>(),
}

const audio = {
  /** The recognized track, if there are several or its timestamps are wrong; null: the only one. */
  heardTrack: z.custom<HeardTrack | null>().optional(),
  /** Copy for players, with that track alone; null: they play the file. */
  played: z.custom<Played | null>().optional(),
  durationSeconds: z.number().nullable().default(null),
  isSilent: z.boolean().default(false),
  /** Spans with speech, in seconds: from, to, from, to. Null: not all are known. */
  spoken: z.custom<number[] | null>().default(null),
  /** The first spans with speech, as of the last saved part; empty once the text is complete. */
  spokenSoFar: z.custom<number[]>().default([]),
  /** Loudness over its length, 0 to 1. */
  levels: z.array(z.number()).default([]),
  /** Level of its loudest half second, in dB of full scale; null while unknown. */
  decibels: z.number().nullable().default(null),
}

const text = {
  text: z.string().default(''),
  segments: z.custom<Segment[]>().default([]),
  /** Whether the segments' times are the engine's own. */
  timesExact: z.boolean().default(false),
  /** Speakers, by the ids in segments; unset or empty: not told apart. */
  speakers: z.custom<Speaker[]>().optional(),
  isTwoSided: z.boolean().optional(),
  askedSpeakers: z.custom<AskedSpeakers>().optional(),
  wordCount: z.number().default(0),
  confidence: z.number().nullable().default(null),
  /** Detected language; null while unknown. */
  spokenLanguage: z.string().nullable().default(null),
  engine: z.custom<UsedEngine | null>().default(null),
  /** Cost of the engine, in US dollars. */
  engineCost: z.number().default(0),
  /** Doubts about the text, or why the note waits. */
  notices: z.custom<Reason[]>().default([]),
  /** The attempt that produced the text; null if there is no text. */
  completedAttempt: z.number().nullable().default(null),
}

/** The person's changes to the text. */
const edits = {
  /** The text before the person changed it; null: unchanged. */
  original: z.custom<Original | null>().default(null),
  /** Counts the changes of text and title. */
  version: z.number().default(1),
}

/** Derived from the text by a text model. */
const derived = {
  gist: z.custom<GistRecord | null>().optional(),
  translations: z.custom<Record<string, TranslationRecord>>().optional(),
  /** Texts in the person's forms, newest last. */
  texts: z.custom<FormTextRecord[]>().optional(),
  /** An unfinished translation: the segments done so far, and a digest of all source segments with their ids. */
  unfinished: z.custom<TranslationRecord | null>().optional(),
  /** Lease of the process that calls a text model for it. */
  writing: z.custom<Lease | null>().optional(),
}

/** Its messages in the chat, and when the next one is due. */
const chat = {
  /** The provider's ids of the newest messages about it: quoting one refers to this note. */
  messages: z.array(z.string()).optional(),
  /** When the chat gets a notice that the text takes a while or, once there, the text without a gist; null: never. */
  answerBy: z.date().nullable().optional(),
}

/** Its deletion; only a tombstone of a deleted note is kept. */
const deletion = {
  /** When it was deleted or hidden. */
  deletedAt: z.date().nullable().default(null),
  forgetAt: z.date().nullable().default(null),
  /** Its person, while the deletion can be undone. It has no `userId` then, so that no list or count includes it. */
  hiddenOf: z.string().optional(),
  goneAt: z.date().optional(),
}

const lists = {
  /** Tags and words that find it; written with tags, text, speakers, title and file name. */
  words: z.array(z.string()).optional(),
  /** The language that lists filter by; written with `language` and `spokenLanguage`. */
  listedLanguage: z.string().optional(),
}

/** A note, from its arrival to its text. It has the id of its media, so that it is charged once. */
export const NoteRecord = z.object({
  ...origin,
  ...conversationPlace,
  ...file,
  ...sameBytes,
  ...person,
  ...progress,
  ...audio,
  ...text,
  ...edits,
  ...derived,
  ...chat,
  ...deletion,
  ...lists,
})
export type NoteRecord = z.infer<typeof NoteRecord> & WithOutbox

/** Filter for the notes that a command may reach: all of a person's, or those from one chat. */
export type Mine = QueryFilter<NoteRecord> & { userId: string }

/** Returns a note's segments. A text from an engine without times is one segment: the whole note. */
export const segmentsOf = ({ segments, text, durationSeconds, confidence }: NoteRecord): Segment[] =>
  segments?.length || !text
    ? (segments ?? [])
    : [{ id: '1', from: 0, to: durationSeconds ?? 0, text, confidence }]

/** Fields that a correction by the person writes. */
export type Edited = Partial<
  Pick<NoteRecord, 'title' | 'tags' | 'text' | 'segments' | 'speakers' | 'wordCount' | 'original' | 'words'>
>

/** The projection without the large fields that only the page and the work need. */
export const WITHOUT_BULK = {
  parts: 0,
  timeline: 0,
  levels: 0,
  spoken: 0,
  spokenSoFar: 0,
  words: 0,
  unfinished: 0,
  outbox: 0,
} as const

export const noteSchema = schemaOf(NoteRecord)
  .index({ userId: 1, createdAt: -1, _id: 1 })
  .index({ userId: 1, status: 1, createdAt: -1, _id: 1 })
  .index({ userId: 1, 'source.channel': 1, createdAt: -1, _id: 1 })
  .index({ userId: 1, listedLanguage: 1, createdAt: -1, _id: 1 })
  .index({ userId: 1, listedLanguage: 1, bytes: 1, durationSeconds: 1 })
  .index({ userId: 1, words: 1 })
  .index({ userId: 1, 'gist.tasks.done': 1 })
  .index({ userId: 1, sha256: 1, createdAt: 1 })
  .index({ firstOf: 1 }, { unique: true, sparse: true })
  .index({ status: 1, stage: 1, since: 1 })
  .index({ 'work.step': 1, 'work.turn': 1 }, { sparse: true })
  .index({ userId: 1, 'work.step': 1, 'work.turn': 1 })
  .index({ 'work.lease.owner': 1 }, { sparse: true })
  .index({ 'writing.owner': 1 }, { sparse: true })
  .index({ 'source.messageId': 1 }, { sparse: true })
  .index({ messages: 1 }, { sparse: true })
  .index({ goneAt: 1 }, { sparse: true })
  .index({ answerBy: 1 }, { sparse: true })
  .index({ hiddenOf: 1 }, { sparse: true })
  .index({ 'conversation.id': 1, 'conversation.file': 1 }, { sparse: true })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })
