import { UI_LANGUAGES } from '@voxscribe/languages'
import { z } from 'zod'
import { CHAT_HITS } from '../../knowledge/limits.ts'
import { ConversationRow } from '../conversations.ts'
import { enumerated, event, NoteSource, Source } from '../event.ts'
import { ReasonSchema } from '../reason.ts'
import {
  Attempt,
  chatCommand,
  Medium,
  Note,
  noteThatIs,
  Outcome,
  seconds,
  uiLanguageIfKnown,
  userId,
} from './fields.ts'

const task = z.object({ text: z.string(), due: z.iso.date().nullable() })

/** The meaning of an unclear message, by a text model, where that changes something: it is asked back. */
const Wish = z.discriminatedUnion('name', [
  z.object({ name: z.literal('title'), title: z.string() }),
  z.object({ name: z.literal('tag'), tags: z.array(z.string()) }),
  z.object({ name: z.literal('again'), language: z.string() }),
  z.object({ name: z.literal('speakers') }),
  z.object({ name: z.literal('undo') }),
  z.object({ name: z.literal('language'), uiLanguage: z.enum(UI_LANGUAGES) }),
])

/** An unclear message of the chat is a command about no note, or (`hint`) none. */
export const MessageUnderstood = event('message-understood', {
  userId,
  command: chatCommand,
  /** The language in which the person wants to be written to, in place of a command. */
  uiLanguage: uiLanguageIfKnown,
  source: Source,
})

/** Notes that an answer lists under numbers, each with a line of its text. */
const hits = z
  .array(z.object({ title: z.string(), createdAt: z.iso.datetime(), line: z.string().default('') }))
  .max(CHAT_HITS)

/** The outcome of a command about notes, to be answered once. */
export const NoteCommandDone = event('note-command-done', {
  userId,
  /** The note that the answer is about: who quotes the answer means this note. */
  transcriptionId: z.uuid().optional(),
  outcome: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('refused'),
      why: enumerated(
        z.enum([
          'no_note',
          'unknown_note',
          'running',
          'no_audio',
          'no_speech',
          'no_words',
          'too_many_words',
          'no_question',
          'same_language',
          'transcript_too_long',
          'no_answer',
          // Sent by 0.1.0: these are `too_often` now.
          'text_too_often',
          'text_day_is_full',
          'text_budget_spent',
          'no_such_file',
          'nothing_deleted',
          'no_such_hit',
          'no_speaker_model',
          'speakers_need_audio',
          'speakers_failed',
        ]),
        'no_answer',
      ),
    }),
    z.object({ kind: z.literal('too_often'), retryAfterSeconds: seconds }),
    /** There is no text, as the note has failed. */
    z.object({ kind: z.literal('failed'), reason: ReasonSchema }),
    /**
     * `title`: null when it is not known any more. `isCharged`: its minutes were charged, beyond the limits. `isChargedInPart`:
     * the part of its text that was there was, less `DELETED_FREE_SECONDS`. `canUndo`: for 10 minutes.
     */
    z.object({
      kind: z.literal('deleted'),
      title: z.string().nullable(),
      isCharged: z.boolean(),
      isChargedInPart: z.boolean().default(false),
      canUndo: z.boolean().default(false),
    }),
    z.object({ kind: z.literal('restored'), title: z.string() }),
    /** `url` reads the note without an account. */
    z.object({
      kind: z.literal('shared'),
      title: z.string(),
      url: z.url(),
      expiresAt: z.iso.datetime(),
    }),
    z.object({
      kind: z.literal('gist'),
      title: z.string(),
      lines: z.array(z.string()),
      tasks: z.array(task),
    }),
    /** `text`: in paragraphs, with an empty line between them. */
    z.object({ kind: z.literal('translation'), title: z.string(), language: z.string(), text: z.string() }),
    /** `content`: Base64. */
    z.object({ kind: z.literal('file'), title: z.string(), name: z.string(), content: z.string() }),
    z.object({ kind: z.literal('titled'), title: z.string() }),
    z.object({ kind: z.literal('tagged'), title: z.string(), tags: z.array(z.string()) }),
    /** Asks which language was spoken, if not the one that it was taken for. */
    z.object({ kind: z.literal('choices'), taken: z.string() }),
    /** Asks whether to translate into a language, or to transcribe again in it. */
    z.object({ kind: z.literal('which'), language: z.string() }),
    /** Asks whether that is meant. */
    z.object({ kind: z.literal('meant'), wish: Wish }),
    /** Asks what is to be cancelled. */
    z.object({ kind: z.literal('cancel') }),
    /** Says what can be done with the note; without one, how to get help. */
    z.object({ kind: z.literal('offer') }),
    /** The newest notes that have these words, newest first; without words, the newest of all. */
    z.object({
      kind: z.literal('found'),
      words: z.string(),
      /** `line`: round the first of the words; empty where they are not in the text. */
      notes: hits,
    }),
    /**
     * Claims of an answer from the notes, with the numbers, from 1, of their quotes among `notes`; without claims, these are
     * the nearest passages. `isAsked`: by a text model. `left`: questions and texts that are left today; null: without limit.
     */
    z.object({
      kind: z.literal('answered'),
      claims: z.array(z.object({ text: z.string(), quotes: z.array(z.int().positive()) })),
      notes: hits,
      isAsked: z.boolean(),
      left: z.int().nonnegative().nullable(),
    }),
    /** A text of the note in a form of the person. */
    z.object({ kind: z.literal('formed'), title: z.string(), name: z.string(), text: z.string() }),
    /** No form has that name: these there are. */
    z.object({ kind: z.literal('forms'), names: z.array(z.string()) }),
    /** The first open to-dos of all notes, and how many `more` there are. `ticked`: the one that is done now. */
    z.object({
      kind: z.literal('todos'),
      ticked: z.string().nullable(),
      todos: z.array(task.extend({ title: z.string() })).max(CHAT_HITS),
      more: z.int().nonnegative(),
    }),
    z.object({ kind: z.literal('opened'), title: z.string(), text: z.string() }),
  ]),
  source: Source,
})

/** The record of a rejected file is there: its person sees why. */
export const NoteRejected = event('note-rejected', {
  ...Note,
  fileName: z.string(),
  reason: ReasonSchema,
  item: noteThatIs('failed'),
  source: Source,
})

export const MediaNormalised = event('media-normalised', {
  ...Attempt,
  source: enumerated(NoteSource, { channel: 'web' }),
})

/** A note takes, or is expected to take, long enough to notify its sender. */
export const NoteQueued = event('note-queued', {
  ...Note,
  attempt: z.int().positive().optional(),
  /** The expected wait; null: it is in hand, or nobody knows. */
  waitSeconds: seconds.nullable(),
  source: Source,
})

export const TranscriptionCompleted = event('transcription-completed', {
  /** `seconds` are those to charge: 0 for silence. */
  ...Attempt,
  audioSeconds: seconds,
  title: z.string(),
  /** In paragraphs, with an empty line between them. */
  text: z.string(),
  words: z.int().nonnegative(),
  /** A language id, `auto` when the engine gave none. */
  language: z.string(),
  engine: z.string(),
  /** Seconds left in the account after this note; null when billing was not asked, as the audio is known. */
  remainingSeconds: seconds.nullable(),
  /** Notices about the text, such as doubts. */
  notices: z.array(ReasonSchema).default([]),
  item: noteThatIs('completed').optional(),
  /** The chat is answered with NoteSummarised, which follows. */
  awaitsGist: z.boolean().optional(),
  ...Outcome,
})

/** A long note's gist is made, or comes too late: its chat is answered now. */
export const NoteSummarised = event('note-summarised', {
  ...Attempt,
  audioSeconds: seconds,
  title: z.string(),
  text: z.string(),
  language: z.string(),
  notices: z.array(ReasonSchema).default([]),
  /** Null: there is none in time. */
  gist: z.object({ lines: z.array(z.string()), tasks: z.array(task) }).nullable(),
  ...Outcome,
})

export const TranscriptionFailed = event('transcription-failed', {
  /** `seconds` are those to charge: none, unless its person has deleted too many notes while engines listened to them. */
  ...Attempt,
  reason: ReasonSchema,
  /** Absent for a deleted note. */
  item: noteThatIs('failed').optional(),
  ...Outcome,
})

/** Every recording that a conversation's lines name has a note that is done. Sent once. */
export const ConversationCompleted = event('conversation-completed', {
  userId,
  conversation: ConversationRow.extend({ source: z.string() }),
})

export const TranscriptionDeleted = event('transcription-deleted', Medium)
