import type { Collection } from './catalog.ts'
import { compileFilter } from './filter.ts'
import { countIn, type Plan, planFor } from './planner.ts'
import type { Stored } from './records.ts'
import { type Sort, sortKey } from './sort.ts'
import type { Storage } from './storage.ts'
import { alsoIn, edgesOf } from './stretch.ts'
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
 * The documents that match, in order, one at a time: each is read and tested when its turn comes, so changes in between
 * are seen. `filter` has gone through `readFilter`.
 */
export function* scan(
  storage: Storage,
  collection: Collection,
  { filter, sort, skip = 0, limit = Number.POSITIVE_INFINITY, patience = Number.POSITIVE_INFINITY }: Query,
): Generator<Stored> {
  const plan = planFor(storage, collection, filter, sort)
  const matches = compileFilter(filter)
  let examined = 0
  const read: Read = rec => {
    if (examined >= patience) throw new TooLong()
    examined += 1
    const row = storage.get(`SELECT doc FROM docs_${collection.id} WHERE rec = ?`, rec)
    const stored = row && storedOf(rec, row.doc as Uint8Array)
    return stored && (plan.covered || matches(stored.doc)) ? stored : undefined
  }
  const jump = plan.sorted && plan.covered ? skip : 0
  const recs = recsOf(storage, collection, plan, jump)
  let position = jump
  for (const stored of plan.sorted ? matching(recs, read) : inOrder(recs, read, sort!)) {
    position += 1
    if (position > skip) yield stored
    if (position >= skip + limit) return
  }
}

/** SQLite takes 500 parts of a union. */
const MAX_COUNTED_RANGES = 100

/** How many documents match, up to the limit. Where indexes alone can tell, no document is read. */
export function countOf(storage: Storage, collection: Collection, filter: Doc, limit: number): number {
  const { first, others, covered } = planFor(storage, collection, filter, undefined, true)
  if (covered && !first)
    return storage.get(`SELECT count(*) AS n FROM (SELECT 1 FROM docs_${collection.id} LIMIT ?)`, limit)!
      .n as number
  if (covered && first && first.ranges.length <= MAX_COUNTED_RANGES)
    return countIn(storage, [first, ...others], limit)
  let count = 0
  for (const _ of scan(storage, collection, { filter, limit })) count += 1
  return count
}

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
  const sorted = keys.map(({ rec }) => rec)
  yield* matching(sorted, read)
}

/** The rows of a plan without the first `skip`; without an index in the order in which they were inserted. */
function* recsOf(storage: Storage, { id }: Collection, { first, others }: Plan, skip: number) {
  if (!first) {
    yield* storage.column(`SELECT rec FROM docs_${id} ORDER BY rec LIMIT -1 OFFSET ?`, skip)
    return
  }
  const { index, ranges, order } = first
  const direction = order === 'backward' ? 'DESC' : 'ASC'
  const sql = `SELECT rec FROM keys_${index.id} WHERE key >= ? AND key < ? AND ${alsoIn(others)}
    ORDER BY key ${direction}, rec ${direction} LIMIT -1 OFFSET ?`
  const mayRepeat = index.multikey || ranges.length > 1
  const seen = new Set<number>()
  for (const range of ranges) {
    const edges = [range.low, range.high, ...others.flatMap(edgesOf)]
    for (const rec of storage.column(sql, ...edges, mayRepeat ? 0 : skip)) {
      if (mayRepeat && (seen.has(rec) || seen.add(rec).size <= skip)) continue
      yield rec
    }
  }
}
