import { type EventOf, ReservationFailed } from '@voxscribe/contracts/events'
import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** A request for minutes that was given up. It is kept apart from the account, which may be what is broken. */
const FailedReservation = z.object({
  /** The question's event. */
  _id: z.string(),
  forgetAt: z.date(),
})
/** As long as a dead letter may be put back. */
const REMEMBERED_MS = 30 * 86_400_000

const failedSchema = schemaOf(FailedReservation).index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

/** Tells transcription that an attempt will get no minutes: it fails at once, which releases what it may hold. */
export function createFailReservation(documents: Pick<Documents, 'outboxModel'>, now: () => Date) {
  const failures = documents.outboxModel('failed_reservations', failedSchema)
  return async (event: EventOf<'MediaNormalised'>): Promise<void> => {
    const { transcriptionId, userId, attempt } = event.data
    const failed = ReservationFailed.causedBy(event, { transcriptionId, userId, attempt })
    const forgetAt = new Date(now().getTime() + REMEMBERED_MS)
    await insertOnce(failures, { _id: event.id, forgetAt, outbox: [failed] })
  }
}
