import { type EventOf, OwnershipAsked } from '@voxscribe/contracts/events'
import { type Documents, insertOnce, type WithOutbox } from '@voxscribe/service'
import { Schema } from 'mongoose'

/** That the person behind a number was asked whether it is the account's. */
interface Question extends WithOutbox {
  /** Account and claim: a number that is claimed again is asked again. */
  _id: string
  /** The event that was answered so. */
  eventId: string
}

type Answered = EventOf<'TranscriptionCompleted' | 'TranscriptionFailed' | 'MediaRejected'>

const questionSchema = new Schema<Question>({ _id: String, eventId: String }, { versionKey: false })

export function createOwnership(documents: Documents) {
  const Questions = documents.outboxModel<Question>('ownership_questions', questionSchema)
  return {
    /**
     * Whether the answer to this event is the one that asks about the claim; asked again for the same event, it still
     * is. Ingestion hears of it before anybody can answer.
     */
    claim: async (event: Answered, phoneClaimedAt: string): Promise<boolean> => {
      const { userId } = event.data
      const _id = `${userId}:${phoneClaimedAt}`
      const asked = OwnershipAsked.causedBy(event, { userId, phoneClaimedAt })
      const isFirst = await insertOnce(Questions, { _id, eventId: event.id, outbox: [asked] })
      return isFirst || (await Questions.exists({ _id, eventId: event.id })) !== null
    },
  }
}
export type Ownership = ReturnType<typeof createOwnership>
