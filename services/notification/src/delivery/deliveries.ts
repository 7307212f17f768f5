import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Delivery } from '../chat/chat.ts'

/** That one message is going out, has gone out, or was refused for good. */
const DeliveryRecord = z.object({
  /** The cause of the message, its kind and its part. */
  _id: z.string(),
  outcome: z.enum(['sending', 'sent', 'refused']),
  /** The process that is sending it, which counts `beat` up while it does. */
  claim: z.string(),
  beat: z.number().optional(),
  /** The provider's id of the message, or why it was refused. */
  detail: z.string(),
  at: z.date(),
})
type DeliveryRecord = z.infer<typeof DeliveryRecord>

const LOOK_AGAIN_MS = 50
/** Dead letters older than this are not put back. */
const KEPT_SECONDS = 90 * 24 * 3600

const deliverySchema = schemaOf(DeliveryRecord)
  .index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })
  .index({ detail: 1 })

/** How often a process that sends says so while a lease lasts. */
const RENEWALS = 4

/**
 * A claim that was seen unchanged for `leaseMs`, by one's own clock, belongs to a dead process and may be taken over:
 * the clocks of two machines may be minutes apart.
 */
export function createDeliveries(documents: Documents, leaseMs: number) {
  const deliveries = documents.model<DeliveryRecord>('deliveries', deliverySchema)

  /** Returns the claim, or the record when the message is done. Waits while another is sending it. */
  async function claimed(_id: string): Promise<string | DeliveryRecord> {
    const claim = randomUUID()
    let watched: { claim: string; beat: number | undefined; since: number } | undefined
    for (;;) {
      const sending = { outcome: 'sending' as const, claim, beat: 0, detail: '', at: new Date() }
      if (await insertOnce(deliveries, { _id, ...sending })) return claim
      const other = await deliveries.findById(_id).lean<DeliveryRecord>()
      if (other && other.outcome !== 'sending') return other
      if (other && watched?.claim === other.claim && watched.beat === other.beat) {
        if (performance.now() - watched.since >= leaseMs) {
          const asWatched = {
            _id,
            outcome: 'sending' as const,
            claim: watched.claim,
            beat: watched.beat ?? null,
          }
          const { modifiedCount } = await deliveries.updateOne(asWatched as never, { $set: sending })
          if (modifiedCount) return claim
        }
      } else if (other) watched = { claim: other.claim, beat: other.beat, since: performance.now() }
      await wait(LOOK_AGAIN_MS)
    }
  }

  async function renewing<T>(_id: string, claim: string, send: () => Promise<T>): Promise<T> {
    const renew = () => deliveries.updateOne({ _id, claim }, { $inc: { beat: 1 } })
    // If a renewal fails, the next one makes up for it.
    const timer = setInterval(() => void renew().catch(() => {}), leaseMs / RENEWALS)
    try {
      return await send()
    } finally {
      clearInterval(timer)
    }
  }

  async function record(
    _id: string,
    became: Pick<DeliveryRecord, 'outcome' | 'detail' | 'at'>,
  ): Promise<void> {
    // Then another process may take it for dead.
    const end = performance.now() + leaseMs / 2
    for (;;) {
      try {
        await deliveries.updateOne({ _id }, { $set: became })
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

    /**
     * Sends once for each key, whatever is redelivered, one after another or at once. No provider takes an idempotency
     * key: a crash between its "accepted" and our record sends the message again, so nothing else happens in between,
     * and a record that fails is tried again.
     * A repeat gets what became of it, marked as such.
     */
    once: async (key: string, send: () => Promise<Delivery>): Promise<Delivery & { repeated?: true }> => {
      const claim = await claimed(key)
      if (typeof claim !== 'string') {
        const { outcome, detail } = claim
        return outcome === 'sent'
          ? { outcome, id: detail, repeated: true }
          : { outcome: 'refused', code: '', message: detail, repeated: true }
      }
      const delivery = await renewing(key, claim, send).catch(async error => {
        await deliveries.deleteOne({ _id: key, claim })
        throw error
      })
      const detail = delivery.outcome === 'sent' ? delivery.id : `${delivery.code} ${delivery.message}`
      await record(key, { outcome: delivery.outcome, detail, at: new Date() })
      return delivery
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>
