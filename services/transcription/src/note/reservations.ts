import { type EventOf, ReservationResolved } from '@voxscribe/contracts/events'
import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { secondsToCharge } from './events.ts'
import type { NoteRecord } from './record.ts'
import type { Notes } from './store.ts'

/** An answer to billing. It outlives the note, which may be forgotten by then. */
const ReservationAnswer = z.object({ _id: z.string(), forgetAt: z.date() })
const answerSchema = schemaOf(ReservationAnswer).index({ forgetAt: 1 }, { expireAfterSeconds: 0 })
const REMEMBERED_MS = 7 * 86_400_000

type Questioned = EventOf<'ReservationQuestioned'>

/** Tells billing what to charge for an attempt that is over or unknown; of one that is alive it says nothing. */
export function createOnReservationQuestioned(documents: Documents, notes: Notes, now: () => Date) {
  const answers = documents.outboxModel('reservation_answers', answerSchema)
  return async (event: Questioned): Promise<void> => {
    const note = await notes.byId(event.data.transcriptionId)
    const isAlive = note?.attempt === event.data.attempt && note.status === 'processing'
    if (isAlive) return
    const { transcriptionId, userId, attempt } = event.data
    const seconds = toCharge(note, attempt)
    const answer = ReservationResolved.causedBy(event, { transcriptionId, userId, attempt, seconds })
    const forgetAt = new Date(now().getTime() + REMEMBERED_MS)
    await insertOnce(answers, { _id: event.id, forgetAt, outbox: [answer] })
  }
}

/** Returns the seconds to charge for an attempt: those of its text, or 0 when it has none. */
const toCharge = (note: NoteRecord | null, attempt: number): number =>
  note?.completedAttempt === attempt ? secondsToCharge(note, note.text) : 0
