import type { Range } from './bounds.ts'
import type { Collection } from './catalog.ts'
import { compileFilter } from './filter.ts'
import { type Plan, planFor } from './planner.ts'
import type { Stored } from './records.ts'
import { type Sort, sortKey } from './sort.ts'
import type { Storage } from './storage.ts'
import { alsoIn, edgesOf, recsIn } from './stretch.ts'
import { type Doc, decode } from './values.ts'

/** More documents would have to be read than the one who asked has patience for. */
export class TooLong extends Error {}

export interface Query {
  filter: Doc
  sort?: Sort | undefined
  skip?: number
  limit?: number
  /** How many documents may be read, before TooLong is thrown. */
  patience?: number | undefined
}

type Read = (rec: number) => Stored | undefined

/**
 * The documents that match, in order, one at a time: nothing stays open in SQLite between two of them, and each is
 * read and tested when its turn comes, so changes in between are seen. `filter` has gone through `readFilter`.
 */
export function* scan(
  storage: Storage,
  collection: Collection,
  { filter, sort, skip = 0, limit = Number.POSITIVE_INFINITY, patience = Number.POSITIVE_INFINITY }: Query,
): Generator<Stored> {
  const plan = planFor(storage, collection, filter, sort)
  const isAny = Object.keys(filter).length === 0
  const matches = compileFilter(filter)
  let examined = 0
  const read: Read = rec => {
    if (examined >= patience) throw new TooLong()
    examined += 1
    const row = storage.get(`SELECT doc FROM docs_${collection.id} WHERE rec = ?`, rec)
    if (!row) return undefined
    const stored = storedOf(rec, row.doc as Uint8Array)
    return isAny || matches(stored.doc) ? stored : undefined
  }
  const isJump = plan.sorted && plan.covered && skip > 0
  const recs = plan.first
    ? recsByIndex(storage, plan, isJump ? skip : 0)
    : recsOf(storage, collection, isJump ? skip : 0)
  const found = sort && !plan.sorted ? inOrder(recs, read, sort) : matching(recs, read)
  let position = isJump ? skip : 0
  const end = skip + limit
  if (position >= end) return
  for (const stored of found) {
    position += 1
    if (position > skip) yield stored
    if (position >= end) return
  }
}

/** How many documents match. Where indexes alone can tell, no document is read. */
export function countOf(storage: Storage, collection: Collection, filter: Doc): number {
  const plan = planFor(storage, collection, filter, undefined, true)
  const { first, others } = plan
  if (plan.covered && !first)
    return storage.get(`SELECT count(*) AS n FROM docs_${collection.id}`)!.n as number
  if (plan.covered && first && first.ranges.length <= MAX_COUNTED_RANGES) {
    const what = first.index.multikey ? 'DISTINCT rec' : '*'
    const sql = `SELECT count(${what}) AS n FROM (${recsIn(first)}) WHERE ${alsoIn(others)}`
    return storage.get(sql, ...[first, ...others].flatMap(edgesOf))!.n as number
  }
  let count = 0
  for (const _ of scan(storage, collection, { filter })) count += 1
  return count
}

/** SQLite takes 500 parts of a union. */
const MAX_COUNTED_RANGES = 100

/** Decodes a document only when somebody asks for it. */
function storedOf(rec: number, bytes: Uint8Array): Stored {
  let doc: Doc | undefined
  return {
    rec,
    bytes,
    get doc() {
      doc ??= decode(bytes)
      return doc
    },
  }
}

function* matching(recs: Iterable<number>, read: Read): Generator<Stored> {
  for (const rec of recs) {
    const stored = read(rec)
    if (stored) yield stored
  }
}

/** Keeps only keys and row ids while sorting, so large documents don't fill the memory. */
function* inOrder(recs: Iterable<number>, read: Read, sort: Sort): Generator<Stored> {
  const keys: { key: Buffer; rec: number }[] = []
  for (const { rec, doc } of matching(recs, read)) keys.push({ rec, key: sortKey(doc, sort) })
  keys.sort((a, b) => Buffer.compare(a.key, b.key))
  yield* matching(
    keys.map(({ rec }) => rec),
    read,
  )
}

const FIRST_CHUNK = 16
/** Each chunk asks other stretches afresh, so it had better be large. */
const FIRST_CHUNK_OF_MANY = 128
const LARGEST_CHUNK = 1_024

/** All rows in the order in which they were inserted, without the first `skip`. */
function* recsOf(storage: Storage, { id }: Collection, skip: number): Generator<number> {
  const sql = `SELECT rec FROM docs_${id} WHERE rec > ? ORDER BY rec LIMIT ? OFFSET ?`
  let offset = skip
  for (let last = -1, size = FIRST_CHUNK; ; size = Math.min(size * 2, LARGEST_CHUNK)) {
    const rows = storage.all(sql, last, size, offset)
    for (const row of rows) yield row.rec as number
    if (rows.length < size) return
    last = rows.at(-1)!.rec as number
    offset = 0
  }
}

function* recsByIndex(storage: Storage, plan: Plan, skip: number): Generator<number> {
  const { index, ranges } = plan.first!
  const repeats = index.multikey || ranges.length > 1
  if (!repeats) {
    if (ranges[0]) yield* recsInRange(storage, plan, ranges[0], skip)
    return
  }
  const seen = new Set<number>()
  for (const range of ranges)
    for (const rec of recsInRange(storage, plan, range, 0)) {
      if (seen.has(rec)) continue
      seen.add(rec)
      if (seen.size > skip) yield rec
    }
}

function* recsInRange(storage: Storage, plan: Plan, range: Range, skip: number): Generator<number> {
  const { index, order } = plan.first!
  const isBackward = order === 'backward'
  const sql = `SELECT key, rec FROM keys_${index.id} WHERE ${
    isBackward ? '(key, rec) < (?, ?) AND key >= ?' : '(key, rec) > (?, ?) AND key < ?'
  } AND ${alsoIn(plan.others)} ORDER BY ${isBackward ? 'key DESC, rec DESC' : 'key, rec'} LIMIT ? OFFSET ?`
  const edges = plan.others.flatMap(edgesOf)
  let [from, last, offset] = [isBackward ? range.high : range.low, -1, skip]
  const to = isBackward ? range.low : range.high
  let size = plan.others.length > 0 ? FIRST_CHUNK_OF_MANY : FIRST_CHUNK
  for (; ; size = Math.min(size * 2, LARGEST_CHUNK)) {
    const rows = storage.all(sql, from, last, to, ...edges, size, offset) as { key: Buffer; rec: number }[]
    for (const row of rows) yield row.rec
    if (rows.length < size) return
    ;({ key: from, rec: last } = rows.at(-1)!)
    offset = 0
  }
}

/** Reads a whole collection, whatever its indexes. */
export function allOf(storage: Storage, collection: Collection): Generator<Stored> {
  return scan(storage, { ...collection, indexes: [] }, { filter: {} })
}
