import { derivedId, type Envelope } from '@voxscribe/contracts/events'
import { MESSAGE_RECORD_DAYS } from '@voxscribe/contracts/limits'
import { createOnce, type Documents, deleteAll, type Lease, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { SendResult } from '../chat/chat.ts'

/** How an answer goes to the chat: as it is, as a text, as the approved template, for the nth time after a message. */
export type ChatWay = 'first' | 'text' | 'template' | { later: number }

/** The answer to a note that a message is, and the way that it goes. */
export interface AnswerInChat {
  id: string
  way: ChatWay
}

/** Makes the event of a message that was sent, from the provider's id of it. */
export type News = (messageId: string) => Envelope

/** The outcome of a message that was sent, or refused for good. */
export type Sent = { outcome: 'sent' } | { outcome: 'refused'; code: string }

/** A message that is being sent, was sent, or was refused for good. */
const SendingRecord = z.object({
  /** The cause of the message, its kind and its part. */
  _id: z.string(),
  outcome: z.enum(['sending', 'sent', 'refused']),
  /** The process that is sending it; null: none is. */
  lease: z.custom<Lease>().nullable(),
  /** A hash of the provider's id of the message, which may name the chat; or the code by which it was refused. */
  detail: z.string(),
  answer: z.custom<AnswerInChat>().optional(),
  to: z.string().optional(),
  at: z.date(),
})
type SendingRecord = z.infer<typeof SendingRecord>

/** Dead letters older than this are not put back. */
const KEPT_SECONDS = MESSAGE_RECORD_DAYS * 24 * 3600

const sendingSchema = schemaOf(SendingRecord)
  .index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })
  .index({ detail: 1 })
  .index({ to: 1 }, { sparse: true })

const hashOf = (address: string) => derivedId('address', address)
const hashOfId = (id: string) => derivedId('message', id)

/** Records the messages that go out, so that each is sent once. `leaseMs`: how long a dead process keeps others waiting. */
export function createSendings(documents: Documents, leaseMs: number) {
  const sendings = documents.outboxModel('dispatches', sendingSchema, {
    owner: null,
    because: 'found by a hash of the address, while it is known',
  })
  const once = createOnce(sendings, { outcome: 'sending' }, leaseMs)

  return {
    byProviderId: (id: string) =>
      sendings.findOne({ detail: hashOfId(id), outcome: 'sent' }).lean<SendingRecord>(),

    /** Forgets what went to these addresses before a time. */
    forgetTo: (addresses: string[], before: Date) =>
      deleteAll(sendings, { to: { $in: addresses.map(hashOf) }, at: { $lt: before } }),

    /** Sends once for each key, as no provider takes one; a repeat gets the outcome. `news`: recorded in the same write. */
    once: async (
      key: string,
      address: string,
      send: () => Promise<SendResult>,
      { answer, news }: { answer?: AnswerInChat | undefined; news?: News | undefined } = {},
    ): Promise<Sent & { isRepeat: boolean }> => {
      const fresh = { _id: key, detail: '', to: hashOf(address), at: new Date(), answer }
      const { record, isRepeat } = await once(fresh, async () => {
        const result = await send()
        const detail = result.outcome === 'sent' ? hashOfId(result.id) : result.code
        const events = result.outcome === 'sent' && news ? [news(result.id)] : []
        return { set: { outcome: result.outcome, detail, at: new Date() }, events }
      })
      const { outcome, detail } = record
      return outcome === 'sent' ? { outcome, isRepeat } : { outcome: 'refused', code: detail, isRepeat }
    },
  }
}
export type Sendings = ReturnType<typeof createSendings>
