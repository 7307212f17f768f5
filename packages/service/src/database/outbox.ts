import type { Envelope } from '@voxscribe/contracts/events'
import type { OutboxSource } from '@voxscribe/messaging'
import { type Model, type Query, Schema } from 'mongoose'

/** A document that carries the events it causes: state and events are one write. */
export interface WithOutbox {
  outbox: Envelope[]
}

export type Written = (key: string, events: Envelope[]) => void

/** Adds the outbox to a schema. Each successful write passes on the events that it has added. */
export function withOutbox<T>(schema: Schema<T>, written: Written): Schema<T & WithOutbox> {
  // Two services in one process may share a schema, but each has its own relay.
  const open = schema.clone() as unknown as Schema<T & WithOutbox>
  // Mongoose's types don't allow an array of mixed values without a default.
  open.add({ outbox: { type: [Schema.Types.Mixed], default: undefined } } as never)
  open.index({ 'outbox.id': 1 }, { sparse: true })
  open.static('written', written)
  open.post('save', function (this: { constructor: unknown }) {
    handOver(this.constructor as Model<T>, this as unknown as T)
  })
  open.pre(['insertMany', 'updateMany', 'bulkWrite'] as never, () => {
    throw new Error('Documents with an outbox are written one by one, by their ids')
  })
  open.post('updateOne', function ({ matchedCount, upsertedCount }) {
    if (matchedCount + upsertedCount) handOverPushed(this, written)
  })
  // `null` may also mean that the condition failed. The relay later finds the events of a document upserted here.
  open.post('findOneAndUpdate', function (document) {
    if (document) handOverPushed(this, written)
  })
  return open
}

/** Passes on the events of an inserted document. */
export function handOver<T>(model: Model<T>, document: T): void {
  const { _id, outbox } = document as unknown as { _id: string } & Partial<WithOutbox>
  if (outbox?.length) (model as { written?: Written }).written?.(_id, [...outbox])
}

/** Passes on the events that an update by id has added to its document. */
function handOverPushed(query: Query<unknown, unknown>, written: Written): void {
  const { $push, $set } = query.getUpdate() as {
    $push?: { outbox?: Envelope | { $each: Envelope[] } }
    $set?: { outbox?: Envelope[] }
  }
  const pushed = $push?.outbox ?? ($set?.outbox?.length ? { $each: $set.outbox } : undefined)
  if (!pushed) return
  const key = query.getFilter()._id
  if (typeof key !== 'string') throw new Error('A document with an outbox is updated by its id')
  written(key, '$each' in pushed ? pushed.$each : [pushed])
}

/** Returns a collection's outbox for the relay, which publishes what was not passed on. */
export function sourceOf<T extends WithOutbox>(name: string, made: Model<T>): OutboxSource {
  const documents = made as unknown as Model<{ _id: string } & WithOutbox>
  return {
    name,
    async pending(limit) {
      const waiting = await documents
        .find({ 'outbox.id': { $gt: '' } }, { outbox: 1 })
        .limit(limit)
        .lean()
      return waiting.map(document => ({ key: document._id, events: document.outbox }))
    },
    async remove({ key, eventId }) {
      const published = { $pull: { outbox: { id: eventId } } }
      await documents.collection.updateOne({ _id: key as never }, published as never)
    },
  }
}
