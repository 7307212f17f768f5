import type { Envelope } from '@voxscribe/contracts/events'
import type { OutboxSource } from '@voxscribe/messaging'
import mongoose, { type Connection, type Model, Schema } from 'mongoose'
import type { z } from 'zod'

/** A document that carries the events it causes: state and events are one write. */
export interface WithOutbox {
  outbox: Envelope[]
}

export interface Documents {
  connection: Connection
  /** A plain collection. Ids are strings. */
  model<T>(name: string, schema: Schema<T>): Model<T>
  /** A collection whose documents carry an outbox; each write wakes the relay. */
  outboxModel<T>(name: string, schema: Schema<T>): Model<T & WithOutbox>
  /** Indexes are made before serving. */
  makeIndexes(): Promise<void>
  sources: OutboxSource[]
  close(): Promise<void>
}

/**
 * The schema of a collection from the one description of its documents, which also gives their type:
 * `type Person = z.infer<typeof Person>`. TypeScript checks what is written; the database only needs to know the fields.
 */
export function schemaOf<T extends z.ZodObject>(documents: T): Schema<z.infer<T>> {
  const fields = Object.keys(documents.shape).map(name => [name, Schema.Types.Mixed])
  return new Schema({ ...Object.fromEntries(fields), _id: String }, { minimize: false }) as unknown as Schema<
    z.infer<T>
  >
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
  const model = <T>(name: string, schema: Schema<T>) =>
    connection.model<T>(name, schema.set('versionKey', false), name)
  return {
    connection,
    model,
    outboxModel: <T>(name: string, schema: Schema<T>) => {
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

function withOutbox<T>(schema: Schema<T>, wake: () => void): Schema<T & WithOutbox> {
  const open = schema as unknown as Schema<T & WithOutbox>
  // Mongoose's types know no array of mixed values without a default.
  open.add({ outbox: { type: [Schema.Types.Mixed], default: undefined } } as never)
  open.index({ 'outbox.id': 1 }, { sparse: true })
  open.post('save', wake)
  open.post('insertMany', wake)
  open.post(['updateOne', 'updateMany', 'findOneAndUpdate'], wake)
  return open
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

/**
 * Whether a write met a unique key that exists already; with `field`, whether it was that one: not every
 * MongoDB-compatible server tells.
 */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== 11000) return false
  return !field || !error.keyPattern || Object.keys(error.keyPattern).join() === field
}
