import {
  derivedId,
  type Envelope,
  MediaNormalised,
  type Reason,
  TranscriptionDeleted,
  TranscriptionFailed,
} from '@voxscribe/contracts/events'
import { DELETED_BY_PERSON } from '../reasons.ts'
import type { NoteRecord } from './record.ts'

type Facts = Pick<NoteRecord, '_id' | 'userId' | 'attempt' | 'traceId'>

/** The same event however often, and from wherever, it is made for this try. */
const originOf = ({ _id, attempt, traceId }: Facts, name: string) => ({
  id: derivedId(name, _id, String(attempt)),
  traceId,
})

/** Asks for minutes. A silent note needs none, but its answer says how many are left. */
export const normalised = (note: Facts, durationSeconds: number, isSilent: boolean): Envelope =>
  MediaNormalised.create(
    {
      transcriptionId: note._id,
      userId: note.userId,
      seconds: isSilent ? 0 : durationSeconds,
      attempt: note.attempt,
    },
    originOf(note, 'media-normalised'),
  )

export const failed = (note: Facts & Pick<NoteRecord, 'source'>, reason: Reason): Envelope =>
  TranscriptionFailed.create(
    { transcriptionId: note._id, userId: note.userId, reason, attempt: note.attempt, source: note.source },
    originOf(note, 'transcription-failed'),
  )

/** Ingestion hears that the audio can go; of a note in progress billing hears, too, that its minutes are free again. */
export function deleted(note: NoteRecord): Envelope[] {
  const { _id: mediaId, userId, traceId } = note
  const told = TranscriptionDeleted.create({ mediaId, userId }, { traceId })
  return note.status === 'processing' ? [told, failed(note, DELETED_BY_PERSON)] : [told]
}
