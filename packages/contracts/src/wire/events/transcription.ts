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

/** A text model's reading of an unclear message that would change something, so the answer asks for confirmation. */
const Wish = z.discriminatedUnion('name', [
  z.object({ name: z.literal('title'), title: z.string() }),
  z.object({ name: z.literal('tag'), tags: z.array(z.string()) }),
  z.object({ name: z.literal('again'), language: z.string() }),
  z.object({ name: z.literal('speakers') }),
  z.object({ name: z.literal('undo') }),
  z.object({ name: z.literal('language'), uiLanguage: z.enum(UI_LANGUAGES) }),
])

/** A text model read an unclear chat message as a command about no note, or as none (`hint`). */
export const MessageUnderstood = event('message-understood', {
  userId,
  command: chatCommand,
  /** Language in which the person wants our texts, in place of a command. */
  uiLanguage: uiLanguageIfKnown,
  source: Source,
})

/** Notes that an answer lists with numbers, each with a line of its text. */
const hits = z
  .array(z.object({ title: z.string(), createdAt: z.iso.datetime(), line: z.string().default('') }))
  .max(CHAT_HITS)

/** Outcome of a command about notes, to be answered once. */
export const NoteCommandDone = event('note-command-done', {
  userId,
  /** Note that the answer is about: quoting the answer refers to it. */
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
          // Sent by 0.1.0 in place of `too_often`.
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
    /** There is no text, because the note has failed. */
    z.object({ kind: z.literal('failed'), reason: ReasonSchema }),
    /**
     * `title`: null if no longer known. `isCharged`: its minutes were charged, because there were too many deletions.
     * `isChargedInPart`: its partial text was, less `DELETED_FREE_SECONDS`. `canUndo`: for 10 minutes.
     */
    z.object({
      kind: z.literal('deleted'),
      title: z.string().nullable(),
      isCharged: z.boolean(),
      isChargedInPart: z.boolean().default(false),
      canUndo: z.boolean().default(false),
    }),
    z.object({ kind: z.literal('restored'), title: z.string() }),
    /** `url` shows the note without an account. */
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
    /** `text`: in paragraphs, separated by empty lines. */
    z.object({ kind: z.literal('translation'), title: z.string(), language: z.string(), text: z.string() }),
    /** `content`: Base64. */
    z.object({ kind: z.literal('file'), title: z.string(), name: z.string(), content: z.string() }),
    z.object({ kind: z.literal('titled'), title: z.string() }),
    z.object({ kind: z.literal('tagged'), title: z.string(), tags: z.array(z.string()) }),
    /** Asks which language was spoken, if not the assumed one (`taken`). */
    z.object({ kind: z.literal('choices'), taken: z.string() }),
    /** Asks whether to translate into a language, or to transcribe again in it. */
    z.object({ kind: z.literal('which'), language: z.string() }),
    /** Asks whether this is meant. */
    z.object({ kind: z.literal('meant'), wish: Wish }),
    /** Asks what to cancel. */
    z.object({ kind: z.literal('cancel') }),
    /** Says what can be done with the note or, without one, how to get help. */
    z.object({ kind: z.literal('offer') }),
    /** The newest notes with these words, newest first; without words, the newest of all. */
    z.object({
      kind: z.literal('found'),
      words: z.string(),
      /** `line`: the text around the first of the words; empty if they are not in the text. */
      notes: hits,
    }),
    /**
     * Claims of an answer from the notes, with the numbers, from 1, of their quotes in `notes`; without claims, `notes`
     * are the nearest passages. `isAsked`: a text model was asked. `left`: questions and texts left today; null: no
     * limit.
     */
    z.object({
      kind: z.literal('answered'),
      claims: z.array(z.object({ text: z.string(), quotes: z.array(z.int().positive()) })),
      notes: hits,
      isAsked: z.boolean(),
      left: z.int().nonnegative().nullable(),
    }),
    /** A text of the note in one of the person's forms. */
    z.object({ kind: z.literal('formed'), title: z.string(), name: z.string(), text: z.string() }),
    /** No form has the requested name; `names` lists the forms. */
    z.object({ kind: z.literal('forms'), names: z.array(z.string()) }),
    /** First open to-dos of all notes, and how many `more` there are. `ticked`: the one this command completed. */
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

/** A rejected file now has a record, in which its person sees the reason. */
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

/** A note takes, or is expected to take, so long that its sender is notified. */
export const NoteQueued = event('note-queued', {
  ...Note,
  attempt: z.int().positive().optional(),
  /** Expected wait; null: work has begun, or no estimate is possible. */
  waitSeconds: seconds.nullable(),
  source: Source,
})

export const TranscriptionCompleted = event('transcription-completed', {
  /** `seconds`: the seconds to charge, 0 for silence. */
  ...Attempt,
  audioSeconds: seconds,
  title: z.string(),
  /** In paragraphs, separated by empty lines. */
  text: z.string(),
  words: z.int().nonnegative(),
  /** A language id; `auto` if the engine gave none. */
  language: z.string(),
  engine: z.string(),
  /** Seconds left in the account after this note; null if billing was not asked, because the audio is known. */
  remainingSeconds: seconds.nullable(),
  /** Notices about the text, such as doubts. */
  notices: z.array(ReasonSchema).default([]),
  item: noteThatIs('completed').optional(),
  /** The chat is not answered now, but by the NoteSummarised that follows. */
  awaitsGist: z.boolean().optional(),
  ...Outcome,
})

/** A long note's gist is ready, or is too late: its chat is answered now. */
export const NoteSummarised = event('note-summarised', {
  ...Attempt,
  audioSeconds: seconds,
  title: z.string(),
  text: z.string(),
  language: z.string(),
  notices: z.array(ReasonSchema).default([]),
  /** Null if it was not ready in time. */
  gist: z.object({ lines: z.array(z.string()), tasks: z.array(task) }).nullable(),
  ...Outcome,
})

export const TranscriptionFailed = event('transcription-failed', {
  /** `seconds`: the seconds to charge, 0 unless the person deleted too many notes during recognition. */
  ...Attempt,
  reason: ReasonSchema,
  /** Absent for a deleted note. */
  item: noteThatIs('failed').optional(),
  ...Outcome,
})

/** Every recording that the conversation's messages name has a finished note. Sent once. */
export const ConversationCompleted = event('conversation-completed', {
  userId,
  conversation: ConversationRow.extend({ source: z.string() }),
})

export const TranscriptionDeleted = event('transcription-deleted', Medium)
