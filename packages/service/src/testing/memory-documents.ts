import type { Envelope } from '@voxscribe/contracts/events'
import mongoose, { type Schema } from 'mongoose'
import type { Documents } from '../database/documents.ts'
import { createHold } from '../database/hold.ts'

// A database for model tests, which try thousands of schedules: its calls take microseconds. It has only the calls that
// the tested stores make.

// biome-ignore lint/suspicious/noExplicitAny: documents of all collections.
type Document = Record<string, any> & { _id: string }
type Filter = Record<string, unknown>
interface Update {
  $set?: Filter
  $unset?: Filter
  $inc?: Record<string, number>
  $setOnInsert?: Filter
  $push?: Record<string, unknown>
}

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
    const found: Document[] = []
    if (typeof _id === 'string') {
      const document = stored.get(_id)
      if (document && matches(document, filter)) found.push(document)
    } else for (const document of stored.values()) if (matches(document, filter)) found.push(document)
    return found
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

  function update(
    filter: Filter,
    change: Update,
    upsert = false,
    sort: Record<string, 1 | -1> = {},
  ): Document | null {
    const [found] = find(filter).sort(comparing(Object.entries(sort)))
    if (found) return write(changed(found, change))
    if (!upsert) return null
    return insert(changed({ _id: filter._id as string, ...change.$setOnInsert }, change))
  }

  const counted = (document: Document | null) => ({ matchedCount: document ? 1 : 0, upsertedCount: 0 })
  const query = <T>(documents: () => Document[], shape: (documents: Document[]) => T) =>
    createQuery(turn, documents, shape)
  const many = (documents: Document[]) => documents
  const first = ([document]: Document[]) => document ?? null
  const updateOne = (filter: Filter, change: Update, options?: { upsert?: boolean }) =>
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
    findOneAndUpdate: (
      filter: Filter,
      change: Update,
      { sort = {} }: { sort?: Record<string, 1 | -1> } = {},
    ) => query(() => [update(filter, change, false, sort)].filter(one => one !== null), first),
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
  let sorted: [string, 1 | -1][] = []
  let most = Number.POSITIVE_INFINITY
  const run = async () => {
    const answer = await turn()
    const found = documents()
    if (sorted.length) found.sort(comparing(sorted))
    const shaped = shape(found.slice(0, most))
    await answer?.()
    return shaped
  }
  const query = {
    lean: () => query,
    sort(by: Record<string, 1 | -1>) {
      sorted = Object.entries(by)
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

const comparing = (fields: [string, 1 | -1][]) => (a: Document, b: Document) => {
  for (const [field, direction] of fields) {
    const [one, other] = [deepIn(a, field) as number, deepIn(b, field) as number]
    if (one < other) return -direction
    if (one > other) return direction
  }
  return 0
}

/** Whether a document matches, as in MongoDB: a missing field is null, and one matching element of a list is enough. */
function matches(document: Document, filter: Filter): boolean {
  for (const path in filter) {
    const wanted = filter[path]
    if (path === '$or' || path === '$and') {
      const parts = wanted as Filter[]
      const fits = (part: Filter) => matches(document, part)
      if (!(path === '$or' ? parts.some(fits) : parts.every(fits))) return false
    } else if (!fitsOne(path.includes('.') ? deepIn(document, path) : document[path], wanted)) return false
  }
  return true
}

const deepIn = (document: Document, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Filter | null | undefined)?.[name], document)

function fitsOne(value: unknown, wanted: unknown): boolean {
  const isPlain = wanted === null || typeof wanted !== 'object' || wanted instanceof Date
  if (isPlain) return isSame(value, wanted)
  for (const operator in wanted)
    if (!COMPARISONS[operator]!(value, (wanted as Filter)[operator])) return false
  return true
}

function isSame(value: unknown, wanted: unknown): boolean {
  // A shortcut, as most values are neither lists nor dates.
  if (value === null || typeof value !== 'object') return (value ?? null) === (wanted ?? null)
  if (Array.isArray(value)) return value.some(one => isSame(one, wanted))
  return value instanceof Date && wanted instanceof Date
    ? value.getTime() === wanted.getTime()
    : value === wanted
}

const hasOrder = (value: unknown): value is number => value !== null && value !== undefined

const COMPARISONS: Record<string, (value: unknown, wanted: unknown) => boolean> = {
  $ne: (value, wanted) => !isSame(value, wanted),
  $in: (value, wanted) => (wanted as unknown[]).some(one => isSame(value, one)),
  $gt: (value, wanted) => hasOrder(value) && value > (wanted as number),
  $gte: (value, wanted) => hasOrder(value) && value >= (wanted as number),
  $lt: (value, wanted) => hasOrder(value) && value < (wanted as number),
  $lte: (value, wanted) => hasOrder(value) && value <= (wanted as number),
}

/** Returns the updated document; the old one is unchanged for those who have read it. */
function changed(document: Document, { $set, $unset, $inc, $push }: Update): Document {
  const next: Document = { ...document }
  for (const path in $set) changeIn(next, path.split('.'), () => $set[path])
  for (const field in $unset) delete next[field]
  for (const path in $inc) changeIn(next, path.split('.'), value => ((value ?? 0) as number) + $inc[path]!)
  for (const field in $push) {
    const pushed = $push[field] as { $each?: unknown[] }
    next[field] = [...(next[field] ?? []), ...(pushed.$each ?? [pushed])]
  }
  return next
}

/** Copies nested objects, which may have been read. */
function changeIn(own: Filter, [name = '', ...rest]: string[], change: (value: unknown) => unknown): void {
  if (!rest.length) {
    own[name] = change(own[name])
    return
  }
  const deeper = { ...(own[name] as Filter) }
  own[name] = deeper
  changeIn(deeper, rest, change)
}

const duplicates = new Map<string, Error>()

/** Caches one error per field: creating one takes longer than a write. */
function duplicate(field: string): Error {
  const facts = { message: 'E11000', code: 11000, keyPattern: { [field]: 1 } }
  const known = duplicates.get(field) ?? new mongoose.mongo.MongoServerError(facts)
  duplicates.set(field, known)
  return known
}
