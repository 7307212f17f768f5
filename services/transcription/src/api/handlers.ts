import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
import { reason } from '@voxscribe/contracts/reasons'
import type { NoteAttempt } from '../note/life.ts'
import type { SameAudio } from '../note/same-audio.ts'
import type { ConversationPlace, Notes } from '../note/store.ts'
import type { Loop } from '../queue/loop.ts'
import type { Queue } from '../queue/queue.ts'
import { secondsOfBytes } from '../queue/steps.ts'
import type { Deletion } from './deleting.ts'

interface Deps {
  notes: Notes
  queue: Pick<Queue, 'enqueue'>
  loop: Pick<Loop, 'onQueuedHere' | 'waitAt'>
  sameAudio: SameAudio
  deletion: Deletion
  /** Returns the place of a note that came with a conversation; null if the conversation is gone. */
  placeOfUpload(event: EventOf<'MediaReceived'>): Promise<ConversationPlace | null>
  /** Base of the link to billing's plans. */
  publicUrl: string
  /** Whether more minutes can be bought here. */
  sells: boolean
}

const attemptOf = ({ data }: { data: { transcriptionId: string; attempt: number } }): NoteAttempt => ({
  _id: data.transcriptionId,
  attempt: data.attempt,
})

/** Handles events about notes, each with one conditional write, which leaves a deleted note unchanged. */
export function createHandlers(
  deps: Deps,
): Omit<HandlersFor<'transcription'>, 'UserRegistered' | 'NoteCommandReceived' | 'AnswerSent'> {
  const { notes, queue, loop, sameAudio, deletion, placeOfUpload, publicUrl, sells } = deps
  return {
    /** Stores a new note, to be measured unless the same audio has been transcribed before. */
    async MediaReceived(event) {
      const { mediaId: _id, userId, bytes, sha256, language } = event.data
      const match = await sameAudio.findMatch({ _id, userId, sha256, language })
      const conversationPlace = event.data.conversation ? await placeOfUpload(event) : null
      const note = await queue.enqueue('measuring', userId, secondsOfBytes(bytes), work =>
        notes.received(event, work, conversationPlace),
      )
      if (note && !(await sameAudio.copyText(note, match))) loop.onQueuedHere('measuring')
    },

    MediaRejected: event => notes.rejected(event),

    async QuotaReserved(event) {
      const { userId, seconds, remainingSeconds } = event.data
      const reserved = { id: event.id, traceId: event.traceId, seconds, remainingSeconds }
      const note = await queue.enqueue('listening', userId, seconds, async (work, isFirst) => {
        const wait = isFirst ? await loop.waitAt(work.turn) : undefined
        return notes.queueForRecognition(attemptOf(event), work, reserved, wait)
      })
      if (note) loop.onQueuedHere('listening')
    },

    async QuotaExceeded(event) {
      const note = await notes.at(attemptOf(event), 'reserving')
      const { seconds, remainingSeconds, periodEnd } = event.data
      const facts = { seconds, remainingSeconds, periodEnd, ...(sells && { plans: `${publicUrl}/pricing` }) }
      if (note) await notes.failed(note, reason('out_of_minutes', facts))
    },

    NoteWithdrawn: ({ data }) => notes.withdrawn(data.mediaId, data.userId),

    /** A new password ends earlier links. */
    UserUpdated: ({ data }) => notes.shares.endBefore(data.userId, data.passwordGeneration ?? 0),

    NoteRevoked: ({ data }) => deletion.revoke(data.mediaId, data.userId),

    /** The sweep fails a note that still waits for an engine without its audio. */
    async MediaExpired({ data }) {
      await notes.audioGone(data.mediaId)
    },
  }
}
