import type { OutboxSource, Relay } from '@voxscribe/messaging'
import mongoose, { type Model, type QueryFilter, Schema } from 'mongoose'
import type { z } from 'zod'
import { SettingsError } from '../settings/settings.ts'
import { createHold, type HoldOptions } from './hold.ts'
import { sourceOf, type WithOutbox, type Written, withOutbox } from './outbox.ts'

/** Owner of a collection's data: fields with the account's id, by which erasure deletes; or null, with the reason. */
type Ownership<T> = { owner: (keyof T & string) | (keyof T & string)[] } | { owner: null; because: string }

/** Thrown if a collection with many documents lacks an index. */
class NotMigrated extends Error {
  override name = 'NotMigrated'

  constructor(collection: string, most: number) {
    super(`${collection} has more than ${most} documents and lacks an index: run \`npm run migrate\` first`)
  }
}

const NO_COLLECTION = 26

/** Whether the database lacks an index of the schema. */
async function lacksIndex(made: Model<unknown>): Promise<boolean> {
  const wanted = made.schema.indexes().map(([fields]) => JSON.stringify(fields))
  if (!wanted.length) return false
  const there = await made.collection.indexes().catch(error => {
    if ((error as { code?: number }).code !== NO_COLLECTION) throw error
    return []
  })
  const keys = new Set(there.map(({ key }) => JSON.stringify(key)))
  return wanted.some(fields => !keys.has(fields))
}

const DELETED_AT_ONCE = 100
/** Readings of the leases in the time after which one has run out. */
const READINGS_OF_LEASES = 4

/** Deletes all documents that match a filter, in batches, so that other calls can run in between. */
export async function deleteAll<T extends { _id: string }>(
  model: Model<T>,
  filter: QueryFilter<T>,
): Promise<void> {
  for (;;) {
    const found = await model.find(filter, { _id: 1 }).limit(DELETED_AT_ONCE).lean<{ _id: string }[]>()
    if (!found.length) return
    await model.deleteMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } } as QueryFilter<T>)
  }
}

export type Documents = Awaited<ReturnType<typeof openDocuments>>

/**
 * Derives a collection's schema from the zod schema of its documents, which also gives their type: `type Person =
 * z.infer<typeof Person>`. TypeScript checks writes; the database only needs to know the fields.
 */
export function schemaOf<T extends z.ZodObject>(documents: T): Schema<z.infer<T>> {
  const fields = Object.keys(documents.shape).map(name => [name, Schema.Types.Mixed])
  return new Schema({ ...Object.fromEntries(fields), _id: String }, { minimize: false }) as unknown as Schema<
    z.infer<T>
  >
}

/** Connects to the service's own database. `publishSoon` receives the events of each successful write. */
export async function openDocuments(url: string, database: string, publishSoon: Relay['publishSoon']) {
  const connection = await connect(url, database)
  const sources: OutboxSource[] = []
  const owned: ((userId: string) => Promise<void>)[] = []
  const jobs: { name: string; everyMs: number; firstMs: number; run(): Promise<void> }[] = []
  /** Defines a plain collection. Ids are strings. */
  const model = <T>(name: string, schema: Schema<T>, { owner }: Ownership<T>): Model<T> => {
    const made = connection.model<T>(name, schema.set('versionKey', false), name)
    for (const field of owner ? [owner].flat() : [])
      owned.push(userId => deleteAll(made as never, { [field]: userId } as never))
    return made
  }
  return {
    connection,
    model,
    /** Defines a collection whose documents carry an outbox; the events of each write are passed to the relay. */
    outboxModel: <T>(name: string, schema: Schema<T>, ownership: Ownership<T>): Model<T & WithOutbox> => {
      const written: Written = (key, events) => publishSoon(name, key, events)
      const made = model<T & WithOutbox>(name, withOutbox(schema, written), ownership)
      sources.push(sourceOf(name, made))
      return made
    },
    /** Defines leases in a field of a collection, and the job that frees those of dead processes. */
    hold<T extends { _id: string }>(
      of: Model<T>,
      field: string,
      options: HoldOptions,
    ): ReturnType<typeof createHold<T>> {
      const hold = createHold(of, field, options)
      const name = `free-${of.modelName}-${field}`
      jobs.push({ name, everyMs: options.leaseMs / READINGS_OF_LEASES, firstMs: 0, run: hold.freeDead })
      return hold
    },
    /** Jobs for `runService`: each frees the leases of dead processes in one collection. */
    jobs,
    /**
     * Creates missing indexes. With `mostDocuments`, throws `NotMigrated` instead if a collection has more: building an
     * index takes time, during which a start would count as failed.
     */
    makeIndexes: async (mostDocuments = Number.POSITIVE_INFINITY): Promise<void> => {
      for (const made of Object.values(connection.models)) {
        if (!(await lacksIndex(made))) continue
        const isLarge =
          Number.isFinite(mostDocuments) && (await made.findOne({}, '_id').skip(mostDocuments).lean())
        if (isLarge) throw new NotMigrated(made.modelName, mostDocuments)
        await made.createIndexes()
      }
    },
    /** Deletes an account's documents from every collection that has an owner, in batches. Idempotent. */
    eraseOwned: async (userId: string): Promise<void> => {
      for (const erase of owned) await erase(userId)
    },
    /** Has an embedded server remove deleted data from its file, too. Other servers don't know the command. */
    scrub: async (): Promise<void> => {
      await connection.db?.command({ scrub: 1 }).catch(error => {
        if ((error as { code?: number }).code !== 59) throw error
      })
    },
    sources,
    close: () => connection.close(),
  }
}

/** Throws a SettingsError for an address that can't be parsed, and another error if nothing answers there. */
export async function connect(url: string, database: string, selectionMs = 15_000) {
  try {
    return await mongoose
      .createConnection(url, {
        dbName: database,
        autoIndex: false,
        autoCreate: false,
        bufferCommands: false,
        ...(url.includes('serverSelectionTimeoutMS=') ? {} : { serverSelectionTimeoutMS: selectionMs }),
        // Applies to the driver's heartbeats as well.
        connectTimeoutMS: 10_000,
        // Not every MongoDB-compatible server supports them.
        retryWrites: false,
      })
      .asPromise()
  } catch (error) {
    const { name, message } = error as Error
    const isUnreadable = name === 'MongoParseError'
    if (!isUnreadable && !(error instanceof mongoose.mongo.MongoDriverError)) throw error
    // Other messages quote parts of the address, and so perhaps of a password.
    const why = isUnreadable ? ` (${message})` : ''
    throw new SettingsError([
      `MONGO_URL: must be such as mongodb://user:password@host:27017/, with @, :, / and % in a password as %40, %3A, %2F and %25${why}`,
    ])
  }
}
