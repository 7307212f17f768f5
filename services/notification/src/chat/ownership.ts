import { type EventOf, OwnershipAsked } from '@voxscribe/contracts/events'
import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** A question to a number's owner whether it is the account's. */
const Question = z.object({
  /** Account and claim: a number that is claimed again is asked again. */
  _id: z.string(),
  /** The event whose answer carried the question. */
  eventId: z.string(),
})

type Answered = EventOf<'TranscriptionCompleted' | 'TranscriptionFailed' | 'MediaRejected'>

export function createOwnership(documents: Documents) {
  const questions = documents.outboxModel('ownership_questions', schemaOf(Question))
  return {
    /**
     * Claims the question about a claimed number for the answer to this event. Idempotent. OwnershipAsked is in the same
     * write, so ingestion knows of the question before the person can answer.
     */
    claim: async (event: Answered, phoneClaimedAt: string): Promise<boolean> => {
      const { userId } = event.data
      const _id = `${userId}:${phoneClaimedAt}`
      const claimant = async () => (await questions.findById(_id, { eventId: 1 }).lean())?.eventId
      const known = await claimant()
      if (known) return known === event.id
      const asked = OwnershipAsked.causedBy(event, { userId, phoneClaimedAt })
      const isFirst = await insertOnce(questions, { _id, eventId: event.id, outbox: [asked] })
      return isFirst || (await claimant()) === event.id
    },
  }
}
export type Ownership = ReturnType<typeof createOwnership>
