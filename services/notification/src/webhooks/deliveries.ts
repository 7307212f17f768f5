import { randomUUID } from 'node:crypto'
import { derivedId, type Envelope } from '@voxscribe/contracts/events'
import { HookDelivery, type HookEvent } from '@voxscribe/contracts/http'
import { HOOK_DELIVERY_DAYS } from '@voxscribe/contracts/limits'
import {
  type Documents,
  deleteAll,
  inFreePlace,
  insertOnce,
  refusal,
  refusedFor,
  schemaOf,
} from '@voxscribe/service'
import { z } from 'zod'
import type { HookRecord, Hooks } from './hooks.ts'

/** A message to a hook, with the defaults of a new one. */
const DeliveryRecord = z.object({
  /** Sent as `webhook-id`. */
  _id: z.string(),
  hookId: z.string(),
  userId: z.string(),
  /** The note whose text it may contain; null for a deletion and for a test. */
  noteId: z.string().nullable(),
  type: HookDelivery.shape.type,
  /** The body, the same in every try. */
  body: z.string(),
  createdAt: z.date(),
  status: HookDelivery.shape.status.default('waiting'),
  /** The place of a waiting test or repeat, unique: limits how many wait, even if requested at once. */
  asked: z.string().optional(),
  /** When the next try is due; null if there is none. */
  notBefore: z.date().nullable(),
  tries: z.int().default(0),
  lastTriedAt: z.date().nullable().default(null),
  failure: HookDelivery.shape.failure.default(null),
  statusCode: z.int().nullable().default(null),
  answer: z.string().default(''),
})
export type DeliveryRecord = z.infer<typeof DeliveryRecord>
type Listed = Omit<DeliveryRecord, 'body'>
export type Outcome = Pick<DeliveryRecord, 'failure' | 'statusCode' | 'answer'>

/** Deliveries contain transcripts. */
const KEPT_SECONDS = HOOK_DELIVERY_DAYS * 24 * 3600
const SHOWN_MAX = 100
/** Largest number of waiting tests and repeats of a hook. */
export const WAITING_MAX = 20
const ASK_AGAIN_SECONDS = 15

const deliverySchema = schemaOf(DeliveryRecord)
  .index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS })
  .index({ hookId: 1, createdAt: -1 })
  .index({ noteId: 1 })
  .index({ userId: 1 })
  .index({ hookId: 1, status: 1, notBefore: 1 })
  .index({ asked: 1 }, { unique: true, sparse: true })

/** Presents a delivery to its owner, field by field. */
export const presentDelivery = (delivery: Listed): HookDelivery => ({
  id: delivery._id,
  type: delivery.type,
  status: delivery.status,
  createdAt: delivery.createdAt.toISOString(),
  tries: delivery.tries,
  lastTriedAt: delivery.lastTriedAt?.toISOString() ?? null,
  nextTryAt: delivery.notBefore?.toISOString() ?? null,
  failure: delivery.failure,
  statusCode: delivery.statusCode,
  answer: delivery.answer,
})

type Cause = Pick<Envelope, 'id' | 'occurredAt'>

/** Messages to hooks: waiting, delivered and failed. */
export function createDeliveries(documents: Documents, hooks: Hooks['model'], now: () => Date) {
  const deliveries = documents.model<DeliveryRecord>('hook_deliveries', deliverySchema, { owner: 'userId' })

  async function add(
    { _id: hookId, userId }: Pick<HookRecord, '_id' | 'userId'>,
    type: DeliveryRecord['type'],
    { id, occurredAt }: Cause,
    data: { id: string },
    asked?: string,
  ): Promise<DeliveryRecord> {
    const delivery = DeliveryRecord.parse({
      _id: derivedId('hook-delivery', hookId, id),
      hookId,
      userId,
      noteId: type === 'test' || type === 'transcription.deleted' ? null : data.id,
      type,
      body: JSON.stringify({ type, timestamp: occurredAt, data }),
      createdAt: now(),
      notBefore: now(),
      asked,
    })
    await insertOnce(deliveries, delivery)
    await wake(hookId)
    return delivery
  }

  /** Makes a hook due. If it was deleted while a message was added, deletes its messages. */
  async function wake(hookId: string): Promise<void> {
    const { matchedCount } = await hooks.updateOne({ _id: hookId }, { $set: { nextAt: now() } })
    if (!matchedCount) await forget({ hookId })
  }

  async function forget(of: Partial<Pick<DeliveryRecord, 'hookId' | 'noteId' | 'userId'>>): Promise<void> {
    await deleteAll(deliveries, of)
  }

  /** Writes a test or repeat in a free place of its hook. Throws 429 if there is none. */
  async function takePlace<T>(hookId: string, write: (place: string) => Promise<T>): Promise<T> {
    const places = Array.from({ length: WAITING_MAX }, (_, at) => `${hookId} ${at}`)
    const taken = async () =>
      (await deliveries.find({ asked: { $in: places } }, { asked: 1 }).lean()).map(({ asked }) => asked)
    const written = await inFreePlace(places, taken, write)
    if (written === null) throw refusedFor(ASK_AGAIN_SECONDS, 'too_many_tests', { max: WAITING_MAX })
    return written
  }

  return {
    forget,

    /** Returns a hook's message that is due first, and the one after it. */
    waiting: (hookId: string): Promise<DeliveryRecord[]> =>
      deliveries.find({ hookId, status: 'waiting' }).sort({ notBefore: 1 }).limit(2).lean<DeliveryRecord[]>(),

    /** Writes the outcome of a try, and frees the place of a test or repeat. */
    async tried(_id: string, fields: Partial<DeliveryRecord>): Promise<void> {
      await deliveries.updateOne({ _id }, { $set: fields, $unset: { asked: 1 } })
    },

    /** Queues a message for each hook with this event type. Returns whether there are any. Idempotent per event. */
    async announce(userId: string, type: HookEvent, event: Cause, data: { id: string }): Promise<boolean> {
      const subscribed = await hooks
        .find({ userId, enabled: true, events: type }, { userId: 1 })
        .lean<HookRecord[]>()
      for (const hook of subscribed) await add(hook, type, event, data)
      return subscribed.length > 0
    },

    /** Queues a test message. Throws 429 if WAITING_MAX of the hook are waiting. */
    test(hook: HookRecord): Promise<DeliveryRecord> {
      const cause = { id: randomUUID(), occurredAt: now().toISOString() }
      return takePlace(hook._id, place => add(hook, 'test', cause, { id: hook._id }, place))
    },

    /** Newest first. */
    of: (hookId: string): Promise<Listed[]> =>
      deliveries
        .find({ hookId }, { body: 0 })
        .sort({ createdAt: -1, _id: 1 })
        .limit(SHOWN_MAX)
        .lean<Listed[]>(),

    /** Returns everything sent to a person's hooks, newest first. */
    allOf: (userId: string): Promise<Listed[]> =>
      deliveries.find({ userId }, { body: 0 }).sort({ createdAt: -1, _id: 1 }).lean<Listed[]>(),

    /** Retries a delivery as soon as its hook is free. Throws 429 if WAITING_MAX others of the hook are waiting. */
    async again(hookId: string, _id: string): Promise<Listed> {
      const one = () => deliveries.findOne({ _id, hookId }, { body: 0 }).lean<Listed>()
      const delivery = await one()
      if (!delivery) throw refusal('delivery_unknown')
      if (delivery.asked) return delivery
      const retried = { status: 'waiting' as const, notBefore: now() }
      await takePlace(hookId, asked => deliveries.updateOne({ _id, hookId }, { $set: { ...retried, asked } }))
      await wake(hookId)
      return (await one()) ?? delivery
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>
