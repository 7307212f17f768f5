import {
  derivedId,
  type Envelope,
  MediaNormalised,
  type Reason,
  TranscriptionFailed,
} from '@voxscribe/contracts/events'
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
