import { setTimeout as wait } from 'node:timers/promises'
import { derivedId } from '@voxscribe/contracts/events'
import { createHold, type Documents, deleteAll, type Held, type Lease, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Delivery } from '../chat/chat.ts'

/** A message that is being sent, was sent, or was refused for good. */
const DeliveryRecord = z.object({
  /** The cause of the message, its kind and its part. */
  _id: z.string(),
  outcome: z.enum(['sending', 'sent', 'refused']),
  /** The process that is sending it; null: none is. */
  lease: z.custom<Lease>().nullable(),
  /** The provider's id of the message, or why it was refused. */
  detail: z.string(),
  /** A hash of the address. */
  to: z.string().optional(),
  at: z.date(),
})
type DeliveryRecord = z.infer<typeof DeliveryRecord>

const LOOK_AGAIN_MS = 50
/** Dead letters older than this are not put back. */
const KEPT_SECONDS = 90 * 24 * 3600

const deliverySchema = schemaOf(DeliveryRecord)
  .index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })
  .index({ detail: 1 })
  .index({ to: 1 }, { sparse: true })

const hashOf = (address: string) => derivedId('address', address)

/** Records the messages that go out, so that each is sent once. `leaseMs`: how long a dead process keeps others waiting. */
export function createDeliveries(documents: Documents, leaseMs: number) {
  const deliveries = documents.model<DeliveryRecord>('deliveries', deliverySchema)
  const hold = createHold(deliveries, 'lease', { lastsMs: leaseMs })

  /** Holds the message, or returns its record when it is done. Waits while another process is sending it. */
  async function claimed(_id: string, to: string): Promise<Held<unknown> | DeliveryRecord> {
    for (;;) {
      const sending = { outcome: 'sending' as const, detail: '', to, at: new Date(), lease: null }
      const held = await hold.take(_id, { outcome: 'sending' }, sending)
      if (held) return held
      const other = await deliveries.findById(_id).lean<DeliveryRecord>()
      if (other && other.outcome !== 'sending') return other
      await wait(LOOK_AGAIN_MS)
    }
  }

  async function record(
    _id: string,
    became: Pick<DeliveryRecord, 'outcome' | 'detail' | 'at'>,
  ): Promise<void> {
    // After that another process may take it over.
    const end = performance.now() + leaseMs / 2
    for (;;) {
      try {
        await deliveries.updateOne({ _id }, { $set: { ...became, lease: null } })
        return
      } catch (error) {
        if (performance.now() > end) throw error
        await wait(LOOK_AGAIN_MS)
      }
    }
  }

  return {
    /** The key of a message that was sent, by the provider's id of it. */
    keyOf: async (providerId: string): Promise<string | undefined> =>
      (await deliveries.findOne({ detail: providerId, outcome: 'sent' }).lean<DeliveryRecord>())?._id,

    /** Forgets what went to these addresses before a time. */
    forgetTo: (addresses: string[], before: Date) =>
      deleteAll(deliveries, { to: { $in: addresses.map(hashOf) }, at: { $lt: before } }),

    /**
     * Sends once for each key, whatever is redelivered, one after another or at once. No provider takes an idempotency
     * key: a crash between its "accepted" and our record sends the message again, so nothing else happens in between,
     * and a record that fails is tried again.
     * A repeat gets the recorded outcome, marked as repeated.
     */
    once: async (
      key: string,
      address: string,
      send: () => Promise<Delivery>,
    ): Promise<Delivery & { repeated?: true }> => {
      const held = await claimed(key, hashOf(address))
      if ('outcome' in held) {
        const { outcome, detail } = held
        return outcome === 'sent'
          ? { outcome, id: detail, repeated: true }
          : { outcome: 'refused', code: detail.split(' ', 1)[0] ?? '', message: detail, repeated: true }
      }
      const delivery = await send().catch(async error => {
        await held.release()
        throw error
      })
      const detail = delivery.outcome === 'sent' ? delivery.id : `${delivery.code} ${delivery.message}`
      await record(key, { outcome: delivery.outcome, detail, at: new Date() }).finally(held.end)
      return delivery
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>
