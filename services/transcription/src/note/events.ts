import {
  derivedId,
  type Envelope,
  type EventOf,
  MediaNormalised,
  messageOf,
  NoteQueued,
  NoteRejected,
  NoteSummarised,
  TranscriptionCompleted,
  TranscriptionDeleted,
  TranscriptionFailed,
} from '@voxscribe/contracts/events'
import type { Transcription } from '@voxscribe/contracts/http'
import { textInParagraphs } from '@voxscribe/contracts/paragraphs'
import { DELETED, type Reason, reason } from '@voxscribe/contracts/reasons'
import { speakerNames } from '@voxscribe/contracts/wording'
import type { UiLanguage } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { presentNote } from './item.ts'
import { titleOf } from './listing.ts'
import type { NoteRecord, Reserved, WITHOUT_BULK } from './record.ts'

type Facts = Pick<NoteRecord, '_id' | 'userId' | 'attempt' | 'traceId' | 'source' | 'asked'>

const factsOf = ({ _id: transcriptionId, userId, attempt, source, asked }: Facts) => ({
  transcriptionId,
  userId,
  attempt,
  source,
  ...(asked && { asked: asked.source }),
})

/** Gives an event the same id each time it is created for this attempt, in any process. */
const originOf = ({ _id, attempt, traceId }: Facts, name: string) => ({
  id: derivedId(name, _id, String(attempt)),
  traceId,
})

/** Asks for minutes. A silent note, or a repeat of the same audio, asks for 0 seconds, to learn how many are left. */
export function normalised(note: NoteRecord): Envelope {
  const seconds = note.isSilent || note.sameAs ? 0 : (note.durationSeconds ?? 0)
  return MediaNormalised.create({ ...factsOf(note), seconds }, originOf(note, 'media-normalised'))
}

/** `item`: the note after the failure, unless it is deleted. */
export const failed = (note: Facts, reason: Reason, seconds = 0, item?: Transcription): Envelope =>
  TranscriptionFailed.create(
    { ...factsOf(note), reason, seconds, item },
    originOf(note, 'transcription-failed'),
  )

/** For a file that was never fetched, or is not a note; billing does not know it. */
export function rejected(cause: EventOf<'MediaRejected'>, note: NoteRecord): Envelope {
  const { mediaId: transcriptionId, userId, fileName, reason, source } = cause.data
  return NoteRejected.causedBy(cause, {
    transcriptionId,
    userId,
    fileName,
    reason,
    source,
    item: presentNote(note),
  })
}

/** Reports a long wait to the chat, as the first reply to the note. `waitSeconds`: null for a note in hand. */
export function queued(note: Facts, waitSeconds: number | null): Envelope[] {
  const { _id: transcriptionId, userId, attempt, asked } = note
  const source = asked?.source ?? (attempt > 1 ? null : messageOf(note.source))
  // The first reply to a claimed number says whose account it is, so it has to be the text itself.
  if (!source || (source.claimed && attempt === 1)) return []
  const data = { transcriptionId, userId, attempt, waitSeconds, source }
  return [NoteQueued.create(data, originOf(note, 'note-queued'))]
}

/** Has ingestion delete the audio and, for a note in progress, billing charge or release its reservation. */
export function deleted(note: NoteRecord, charged: number): Envelope[] {
  const { _id: mediaId, userId, traceId } = note
  const removed = TranscriptionDeleted.create({ mediaId, userId }, { traceId })
  return note.status === 'processing' ? [removed, failed(note, reason(DELETED), charged)] : [removed]
}

/** Creates the event of a completed note. Its length is charged; silence, or a repeat of the same audio, is free. */
export function completed(note: NoteRecord, reserved?: Reserved, replyAwaitsGist = false): Envelope {
  const { seconds } = answerOf(note)
  // Reserved minutes that were not used are returned.
  const left = reserved?.remainingSeconds ?? null
  const remainingSeconds = left === null ? null : left + (seconds ? 0 : (reserved?.seconds ?? 0))
  const data = {
    ...answerOf(note),
    words: note.wordCount,
    engine: engineLabel(note.engine),
    remainingSeconds,
    item: presentNote(note),
    ...(replyAwaitsGist && { awaitsGist: replyAwaitsGist }),
  }
  return reserved
    ? TranscriptionCompleted.causedBy(reserved, data)
    : TranscriptionCompleted.create(data, originOf(note, 'transcription-completed'))
}

type Known = Omit<NoteRecord, keyof typeof WITHOUT_BULK>

/** Facts of a completed note, for the reply in its chat. */
const answerOf = (note: Known) => ({
  ...factsOf(note),
  seconds: note.text && !note.sameAs ? (note.durationSeconds ?? 0) : 0,
  audioSeconds: note.durationSeconds ?? 0,
  title: titleOf(note),
  text: textInParagraphs(note.segments, note.spokenLanguage, note.text, namesIn(note)),
  language: note.spokenLanguage ?? 'auto',
  notices: note.notices,
})

/** Creates the event with the gist that a reply has waited for, or without one if the wait is over. */
export function summarised(note: Known): Envelope {
  const gist = note.gist ? { lines: note.gist.lines, tasks: note.gist.tasks } : null
  return NoteSummarised.create({ ...answerOf(note), gist }, originOf(note, 'note-summarised'))
}

/** Names of speakers, in the language of messages to the note's person. */
const namesIn = ({ uiLanguage = 'en', speakers }: Known) =>
  speakerNames(i18nFor(uiLanguage as UiLanguage), speakers)

/** Formats an engine as one string: `openai gpt-transcribe`. */
const engineLabel = (engine: NoteRecord['engine']) =>
  engine ? [engine.name, engine.model].filter(Boolean).join(' ') : 'none'
