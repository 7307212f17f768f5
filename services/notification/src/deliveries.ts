import { type Documents, isDuplicateKey } from '@voxscribe/service'
import { Schema } from 'mongoose'
import type { Delivery } from './chat.ts'

/** That one message has gone out, or was refused for good. */
interface DeliveryRecord {
  /** What caused the message, its kind and its part. */
  _id: string
  outcome: Delivery['outcome']
  /** The provider's id of the message, or why it was refused. */
  detail: string
  at: Date
}

/** Longer than a quota's period, which is told of once; dead letters older than this are not put back. */
const KEPT_SECONDS = 90 * 24 * 3600

const deliverySchema = new Schema<DeliveryRecord>(
  { _id: String, outcome: String, detail: String, at: Date },
  { versionKey: false },
).index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })

export function createDeliveries(documents: Documents) {
  const Deliveries = documents.model<DeliveryRecord>('deliveries', deliverySchema)

  const isDone = async (key: string): Promise<boolean> => (await Deliveries.exists({ _id: key })) !== null
  const record = async (key: string, delivery: Delivery): Promise<void> => {
    const detail = delivery.outcome === 'sent' ? delivery.id : `${delivery.code} ${delivery.message}`
    const done = { _id: key, outcome: delivery.outcome, detail, at: new Date() }
    await Deliveries.create(done).catch(error => {
      if (!isDuplicateKey(error)) throw error
    })
  }

  return {
    isDone,
    /** Counts as done, though nothing was sent. */
    skip: (key: string): Promise<void> => record(key, { outcome: 'refused', code: 'skipped', message: '' }),
    /**
     * Sends once for each key, whatever is redelivered. No provider takes an idempotency key: a crash between its
     * "accepted" and this record sends the message again, so nothing else happens in between.
     */
    once: async (key: string, send: () => Promise<Delivery>): Promise<Delivery | undefined> => {
      if (await isDone(key)) return undefined
      const delivery = await send()
      await record(key, delivery)
      return delivery
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>
