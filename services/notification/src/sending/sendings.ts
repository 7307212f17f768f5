import { derivedId, type Envelope } from '@voxscribe/contracts/events'
import { MESSAGE_RECORD_DAYS } from '@voxscribe/contracts/limits'
import { createOnce, type Documents, deleteAll, type Lease, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { SendResult } from '../chat/chat.ts'

/** How a reply is sent to the chat: normally, as a text, as the approved template, or the nth time after a message. */
export type ChatWay = 'first' | 'text' | 'template' | { later: number }

/** The reply to a note that a message contains, and how it was sent. */
export interface AnswerInChat {
  id: string
  way: ChatWay
}

/** Returns the event about a sent message, from the provider's id. */
export type SentEvent = (messageId: string) => Envelope

/** The outcome of a message that was sent or permanently refused. */
export type Sent = { outcome: 'sent' } | { outcome: 'refused'; code: string }

/** A message that is being sent, was sent, or was permanently refused. */
const SendingRecord = z.object({
  /** The cause of the message, its kind and its part. */
  _id: z.string(),
  outcome: z.enum(['sending', 'sent', 'refused']),
  /** The process that is sending it; null if there is none. */
  lease: z.custom<Lease>().nullable(),
  /** A hash of the provider's id of the message, because that may name the chat; or the code of the refusal. */
  detail: z.string(),
  answer: z.custom<AnswerInChat>().optional(),
  to: z.string().optional(),
  at: z.date(),
})
type SendingRecord = z.infer<typeof SendingRecord>

/** Dead letters older than this aren't replayed. */
const KEPT_SECONDS = MESSAGE_RECORD_DAYS * 24 * 3600

const sendingSchema = schemaOf(SendingRecord)
  .index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })
  .index({ detail: 1 })
  .index({ to: 1 }, { sparse: true })

const hashOf = (address: string) => derivedId('address', address)
const hashOfId = (id: string) => derivedId('message', id)

/** Records sent messages, so that each is sent once. `leaseMs`: how long a dead process blocks the others. */
export function createSendings(documents: Documents, leaseMs: number) {
  const sendings = documents.outboxModel('dispatches', sendingSchema, {
    owner: null,
    because: 'found by a hash of the address, while it is known',
  })
  const once = createOnce(sendings, { outcome: 'sending' }, leaseMs)

  return {
    byProviderId: (id: string) =>
      sendings.findOne({ detail: hashOfId(id), outcome: 'sent' }).lean<SendingRecord>(),

    /** Deletes records of messages sent to these addresses before a time. */
    forgetTo: (addresses: string[], before: Date) =>
      deleteAll(sendings, { to: { $in: addresses.map(hashOf) }, at: { $lt: before } }),

    /** Sends once per key, as no provider accepts one; a repeat returns the outcome. `sentEvent`: in the same write. */
    once: async (
      key: string,
      address: string,
      send: () => Promise<SendResult>,
      { answer, sentEvent }: { answer?: AnswerInChat | undefined; sentEvent?: SentEvent | undefined } = {},
    ): Promise<Sent & { isRepeat: boolean }> => {
      const fresh = { _id: key, detail: '', to: hashOf(address), at: new Date(), answer }
      const { record, isRepeat } = await once(fresh, async () => {
        const result = await send()
        const detail = result.outcome === 'sent' ? hashOfId(result.id) : result.code
        const events = result.outcome === 'sent' && sentEvent ? [sentEvent(result.id)] : []
        return { set: { outcome: result.outcome, detail, at: new Date() }, events }
      })
      const { outcome, detail } = record
      return outcome === 'sent' ? { outcome, isRepeat } : { outcome: 'refused', code: detail, isRepeat }
    },
  }
}
export type Sendings = ReturnType<typeof createSendings>
