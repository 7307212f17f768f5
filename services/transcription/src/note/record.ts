import type { GistChoice } from '@voxscribe/contracts/business'
import type { NoteSource, Source } from '@voxscribe/contracts/events'
import type { Transcription } from '@voxscribe/contracts/http'
import type { Reason } from '@voxscribe/contracts/reasons'
import { type Lease, schemaOf, type WithOutbox } from '@voxscribe/service'
import type { HeardTrack, SavedPart, Segment, Speaker, UsedEngine } from '@voxscribe/speech'
import type { QueryFilter } from 'mongoose'
import { z } from 'zod'
import type { FormTextRecord, GistRecord, TranslationRecord } from './derived.ts'

/** The copy of a file for players: its heard track alone. */
export interface Played {
  bytes: number
  mime: string | null
}

/** The stages of a note in progress; the sweeper limits the stay there. */
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
/** Kinds of slow work; the notes that need one are a queue. `pipeline.ts` has what each is. */
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
  /** The share of its voices that is done, 0 to 1. */
  progress?: number
}

/** The event by which billing has reserved the minutes of an attempt. */
export interface Reserved {
  id: string
  traceId: string
  seconds: number
  /** Null without a limit. */
  remainingSeconds: number | null
}

/** The command of the chat by which a person asked for an attempt. */
export interface Asked {
  eventId: string
  source: Source
}

/** A request to tell speakers apart. */
export interface AskedSpeakers {
  /** How many; null: that is to be found out. */
  count: number | null
  /** The command of the chat that asked; null: a call did. */
  by: string | null
  /** The commands that asked before: each is answered with what there is, and asks no more. */
  earlier?: string[]
}

export interface TimelineEntry {
  /** A step of `life.ts`, or what else is to be told: `fetched`, `answered`, `repeatsCut`. */
  step: string
  at: Date
  /** Why, or the engine. */
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

/** The conversation that it came with; what it is called there is written with it. */
const belongs = {
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
  /** Key of the audio; null when it is gone or never came. */
  objectKey: z.string().nullable(),
  /** SHA-256 of its bytes, hex; null when they never came. */
  sha256: z.string().nullable().optional(),
  /** Secret that signs addresses of its audio; null until one was asked for. */
  audioKey: z.string().nullable().default(null),
}

/** Its place among notes with the same bytes. */
const sameBytes = {
  /** Person and hash (and language, if heard again in another one) of the note that is recognised; unique. */
  firstOf: z.string().optional(),
  /** The note whose text it was given, or is heard again in another language, as the audio is the same: it costs nothing. */
  sameAs: z.string().nullable().optional(),
}

/** Choices of its person, and what is known of them. */
const person = {
  /** Title that the person gave it; null: the file's name. */
  title: z.string().nullable().default(null),
  /** As they were written, without `#`. */
  tags: z.array(z.string()).optional(),
  /** The language that is expected: a language id. */
  language: z.string(),
  /** A program asked for its times. */
  wantsTimes: z.boolean().optional(),
  /** ISO 3166-1 alpha-2, of the person's number; null while unknown. */
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
  /** When this stage began; for work in progress, the claim or the last finished part. */
  since: z.date(),
  /** Null: it needs none. */
  work: z.custom<Work | null>().default(null),
  /** Minutes reserved by billing for this attempt; null before. */
  reserved: z.custom<Reserved | null>().default(null),
  parts: z.custom<SavedPart[]>().default([]),
  /** The engine that the person asked for with a refresh; null: the best. */
  askedEngine: z.string().nullable().default(null),
  /** The command that asked for this attempt; null: none did. */
  asked: z.custom<Asked | null>().default(null),
  error: z.custom<Reason | null>().default(null),
  timeline: z.custom<TimelineEntry[]>(),
}

const audio = {
  /** The sound track that is heard of several, or of one whose stamps are wrong; null: the only one. */
  heardTrack: z.custom<HeardTrack | null>().optional(),
  /** The copy for players, of the heard track alone; null: they play it in the file. */
  played: z.custom<Played | null>().optional(),
  durationSeconds: z.number().nullable().default(null),
  isSilent: z.boolean().default(false),
  /** Spans with speech, in seconds: from, to, from, to. Null: not all are known. */
  spoken: z.custom<number[] | null>().default(null),
  /** The first spans with speech, known when the last part was saved; empty in a text that is there. */
  spokenSoFar: z.custom<number[]>().default([]),
  /** How loud it is over its length, 0 to 1. */
  levels: z.array(z.number()).default([]),
  /** Its loudest half second, of full scale; null while unknown. */
  decibels: z.number().nullable().default(null),
}

const text = {
  text: z.string().default(''),
  segments: z.custom<Segment[]>().default([]),
  /** Whether the segments' times are the engine's own. */
  timesExact: z.boolean().default(false),
  /** Those who speak, by the ids in segments; unset, or empty: not told apart. */
  speakers: z.custom<Speaker[]>().optional(),
  isTwoSided: z.boolean().optional(),
  askedSpeakers: z.custom<AskedSpeakers>().optional(),
  wordCount: z.number().default(0),
  confidence: z.number().nullable().default(null),
  /** The language that was heard; null while unknown. */
  spokenLanguage: z.string().nullable().default(null),
  engine: z.custom<UsedEngine | null>().default(null),
  /** Cost of the engine, in US dollars. */
  engineCost: z.number().default(0),
  /** Doubts about the text, or why the note waits. */
  notices: z.custom<Reason[]>().default([]),
  /** The attempt that the text is from; null when there is none. */
  completedAttempt: z.number().nullable().default(null),
}

/** Changes of the person to the text. */
const edits = {
  /** The text before the person changed it; null: unchanged. */
  original: z.custom<Original | null>().default(null),
  /** Counts the changes of text and title. */
  version: z.number().default(1),
}

/** Derived from the text by a text model. */
const derived = {
  /** The gist that a text model has made. */
  gist: z.custom<GistRecord | null>().optional(),
  translations: z.custom<Record<string, TranslationRecord>>().optional(),
  /** In forms of its person, the newest last. */
  texts: z.custom<FormTextRecord[]>().optional(),
  /** A translation that failed: the passages that are done, and the digest of all, by their ids. */
  unfinished: z.custom<TranslationRecord | null>().optional(),
  /** Held by the process that calls a text model for it. */
  writing: z.custom<Lease | null>().optional(),
}

/** Its messages in the chat, and those that are due. */
const chat = {
  /** The provider's ids of the newest messages about it: who quotes one means this note. */
  messages: z.array(z.string()).optional(),
  /** When its chat gets a message that the text takes a while or, once it is there, the text without a gist; null: neither. */
  answerBy: z.date().nullable().optional(),
}

/** Its deletion; of a deleted note only a mark is kept. */
const deletion = {
  /** Deleted by the person: what is left only keeps a repeat from bringing it back. */
  deletedAt: z.date().nullable().default(null),
  forgetAt: z.date().nullable().default(null),
  /** Its person, while they can undo its deletion; it has no `userId` then, and is in no list and no count. */
  hiddenOf: z.string().optional(),
  goneAt: z.date().optional(),
}

const lists = {
  /** The tags and words that it is found by; written with them, text, title and file name. */
  words: z.array(z.string()).optional(),
  /** The language that lists filter by; written with `language` and `spokenLanguage`. */
  listedLanguage: z.string().optional(),
}

/** A note, from its arrival to its text. Its id is its media's, so that it is charged once. */
export const NoteRecord = z.object({
  ...origin,
  ...belongs,
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

/** The notes that a command may reach: all of a person, or those from one chat. */
export type Mine = QueryFilter<NoteRecord> & { userId: string }

/** An engine without times gives a single segment: the whole note. */
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
  .index({ 'source.messageId': 1 }, { sparse: true })
  .index({ messages: 1 }, { sparse: true })
  .index({ goneAt: 1 }, { sparse: true })
  .index({ answerBy: 1 }, { sparse: true })
  .index({ hiddenOf: 1 }, { sparse: true })
  .index({ 'conversation.id': 1, 'conversation.file': 1 }, { sparse: true })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })
