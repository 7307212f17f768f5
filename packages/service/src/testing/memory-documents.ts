import type { Envelope } from '@voxscribe/contracts/events'
import { compileFilter, readFilter } from '@voxscribe/embedded-mongo/query/filter'
import { type Sort, sortKey } from '@voxscribe/embedded-mongo/query/sort'
import { readUpdate, updated, upserted } from '@voxscribe/embedded-mongo/query/update'
import mongoose, { type Schema } from 'mongoose'
import type { Documents } from '../database/documents.ts'
import { createHold } from '../database/hold.ts'

// A database for model tests, which try thousands of schedules: its calls take microseconds. It has only the calls that
// the tested stores make; filters, updates and orders are the embedded database's.

// biome-ignore lint/suspicious/noExplicitAny: documents of all collections.
type Document = Record<string, any> & { _id: string }
type Filter = Record<string, unknown>

/** Fate of a call's answer: resolves when the answer arrives, rejects when it is lost. */
export type AnswerWay = () => Promise<void>
/** Resolves when a call arrives, rejects when it is lost. If it resolves to nothing, the answer arrives at once. */
type Turn = () => Promise<AnswerWay | undefined>

export interface Memory {
  /** Returns the database as one process sees it: each call waits its turn and passes on the events of its write. */
  documentsOf(turn?: Turn, sent?: (event: Envelope) => void): Documents
  all(collection: string): Document[]
}

export function createMemory(): Memory {
  const collections = new Map<string, Map<string, Document>>()
  const collectionOf = (name: string) => {
    const found = collections.get(name) ?? new Map<string, Document>()
    collections.set(name, found)
    return found
  }
  return {
    all: name => [...collectionOf(name).values()],
    documentsOf(turn = async () => undefined, sent = () => {}) {
      const model = (name: string, schema: Schema) => modelOf(collectionOf(name), schema, turn, sent)
      return { model, outboxModel: model, hold: createHold } as unknown as Documents
    },
  }
}

interface Facts {
  /** Fields that must be unique. */
  unique: string[]
  /** Known fields; like mongoose, drops all others. */
  paths: Record<string, unknown>
}
/** Cached by schema, as each schedule has its own database but the same schemas. */
const known = new WeakMap<Schema, Facts>()

function factsOf(schema: Schema): Facts {
  const before = known.get(schema)
  if (before) return before
  const unique = schema.indexes().flatMap(([fields, options]) => (options?.unique ? Object.keys(fields) : []))
  const facts = { unique, paths: { ...schema.paths, outbox: {} } }
  known.set(schema, facts)
  return facts
}

function modelOf(stored: Map<string, Document>, schema: Schema, turn: Turn, sent: (event: Envelope) => void) {
  const { unique, paths } = factsOf(schema)

  function find(filter: Filter): Document[] {
    const { _id } = filter
    const candidates = typeof _id === 'string' ? [stored.get(_id) ?? []].flat() : [...stored.values()]
    return candidates.filter(compileFilter(readFilter(filter)))
  }

  function isTaken(field: string, { _id, [field]: value }: Document): boolean {
    if (value === undefined) return false
    for (const other of stored.values()) if (other[field] === value && other._id !== _id) return true
    return false
  }

  /** Stores the document itself, not a copy. */
  function write(document: Document): Document {
    for (const field of unique) if (isTaken(field, document)) throw duplicate(field)
    for (const event of document.outbox ?? []) sent(event)
    document.outbox = []
    stored.set(document._id, document)
    return document
  }

  function insert(document: Document): Document {
    if (stored.has(document._id)) throw duplicate('_id')
    return write({ ...document })
  }

  function update(filter: Filter, change: Filter, upsert = false, sort: Sort = {}): Document | null {
    const [found] = inOrder(find(filter), sort)
    if (found) return write(updated(readUpdate(change), found) as Document)
    return upsert ? insert(upserted(readUpdate(change), readFilter(filter)) as Document) : null
  }

  const counted = (document: Document | null) => ({ matchedCount: document ? 1 : 0, upsertedCount: 0 })
  const query = <T>(documents: () => Document[], shape: (documents: Document[]) => T) =>
    createQuery(turn, documents, shape)
  const many = (documents: Document[]) => documents
  const first = ([document]: Document[]) => document ?? null
  const updateOne = (filter: Filter, change: Filter, options?: { upsert?: boolean }) =>
    query(
      () => [update(filter, change, options?.upsert)].filter(one => one !== null),
      documents => counted(first(documents)),
    )
  const insertOne = (document: Document) => query(() => [insert(document)], first)
  return {
    schema: { paths },
    find: (filter: Filter) => query(() => find(filter), many),
    findOne: (filter: Filter) => query(() => find(filter), first),
    findById: (id: string) => query(() => find({ _id: id }), first),
    exists: (filter: Filter) => query(() => find(filter), first),
    countDocuments: (filter: Filter) =>
      query(
        () => find(filter),
        documents => documents.length,
      ),
    findOneAndUpdate: (filter: Filter, change: Filter, { sort }: { sort?: Sort } = {}) =>
      query(() => [update(filter, change, false, sort)].filter(one => one !== null), first),
    deleteOne: (filter: Filter) =>
      query(
        () => find(filter).filter(({ _id }) => stored.delete(_id)),
        deleted => ({ deletedCount: deleted.length }),
      ),
    updateOne,
    collection: { insertOne, updateOne },
  }
}

function createQuery<T>(turn: Turn, documents: () => Document[], shape: (documents: Document[]) => T) {
  let sorted: Sort = {}
  let most = Number.POSITIVE_INFINITY
  const run = async () => {
    const answer = await turn()
    const shaped = shape(inOrder(documents(), sorted).slice(0, most))
    await answer?.()
    return shaped
  }
  const query = {
    lean: () => query,
    sort(by: Sort) {
      sorted = by
      return query
    },
    limit(count: number) {
      most = count
      return query
    },
    async *cursor() {
      yield* (await run()) as Iterable<Document>
    },
    // biome-ignore lint/suspicious/noThenProperty: a query of mongoose runs when it is awaited.
    then: (...given: Parameters<Promise<T>['then']>) => run().then(...given),
  }
  return query
}

function inOrder(documents: Document[], sort: Sort): Document[] {
  if (documents.length < 2 || !Object.keys(sort).length) return documents
  const keyed = documents.map(document => ({ document, key: sortKey(document, sort) }))
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ document }) => document)
}

const duplicates = new Map<string, Error>()

/** Caches one error per field: creating one takes longer than a write. */
function duplicate(field: string): Error {
  const facts = { message: 'E11000', code: 11000, keyPattern: { [field]: 1 } }
  const known = duplicates.get(field) ?? new mongoose.mongo.MongoServerError(facts)
  duplicates.set(field, known)
  return known
}
