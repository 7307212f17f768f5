import type { Envelope } from '@voxscribe/contracts/events'
import type { OutboxSource } from '@voxscribe/messaging'
import mongoose, { type Connection, type Model, Schema } from 'mongoose'

/** A document that carries the events it causes: state and events are one write. */
export interface WithOutbox {
  outbox: Envelope[]
}

export interface Documents {
  connection: Connection
  /** A plain collection. Ids are strings. */
  model<T>(name: string, schema: Schema<T>): Model<T>
  /** A collection whose documents carry an outbox; each write wakes the relay. */
  outboxModel<T extends WithOutbox>(name: string, schema: Schema<T>): Model<T>
  /** Indexes are made before serving. */
  makeIndexes(): Promise<void>
  sources: OutboxSource[]
  close(): Promise<void>
}

/** Connects to the service's own database. `wake` is called after writes that may hold events. */
export async function openDocuments(url: string, database: string, wake: () => void): Promise<Documents> {
  const connection = await mongoose
    .createConnection(url, {
      dbName: database,
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      ...(url.includes('serverSelectionTimeoutMS=') ? {} : { serverSelectionTimeoutMS: 15_000 }),
      // Not every MongoDB-compatible server has them.
      retryWrites: false,
    })
    .asPromise()
  const sources: OutboxSource[] = []
  const model = <T>(name: string, schema: Schema<T>) => connection.model<T>(name, schema, name)
  return {
    connection,
    model,
    outboxModel: (name, schema) => {
      const made = model(name, withOutbox(schema, wake))
      sources.push(sourceOf(name, made))
      return made
    },
    makeIndexes: async () => {
      for (const made of Object.values(connection.models)) await made.createIndexes()
    },
    sources,
    close: () => connection.close(),
  }
}

function withOutbox<T extends WithOutbox>(schema: Schema<T>, wake: () => void): Schema<T> {
  // The cast: mongoose cannot see that every T has an outbox.
  const open = schema as unknown as Schema<WithOutbox>
  // Mongoose's types know no array of mixed values without a default.
  open.add({ outbox: { type: [Schema.Types.Mixed], default: undefined } } as never)
  open.index({ 'outbox.id': 1 }, { sparse: true })
  open.post('save', wake)
  open.post('insertMany', wake)
  open.post(['updateOne', 'updateMany', 'findOneAndUpdate'], wake)
  return schema
}

function sourceOf<T extends WithOutbox>(name: string, made: Model<T>): OutboxSource {
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
    async remove(key, eventId) {
      // Past mongoose's middleware: taking an event out must not wake the relay again.
      await documents.collection.updateOne(
        { _id: key as never },
        { $pull: { outbox: { id: eventId } } as never },
      )
    },
  }
}

const {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} = mongoose.mongo
const NOT_REACHED = [
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
]
/** A replica set between two primaries, or a server that shuts down; the numbers of MongoDB's error_codes.yml. */
const NOT_SERVING = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436])
/** Whether something failed because the database cannot be reached. */
export const isDatabaseAway = (error: unknown): boolean =>
  NOT_REACHED.some(kind => error instanceof kind) ||
  (error instanceof MongoServerError && NOT_SERVING.has(Number(error.code)))

/** Whether a write met a unique key that exists already. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: unknown }).code === 11000
