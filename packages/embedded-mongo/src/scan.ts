import type { Collection } from './catalog.ts'
import { compileFilter } from './filter.ts'
import { countIn, MAX_PIECES, type Plan, plansFor } from './planner.ts'
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

/** Gives the documents of these rows that match. */
type Read = (recs: Iterable<number>) => Iterable<Stored>

/** So many documents are read along the wanted order, before it is asked where the rare ones are. */
const TRIED = 100

/** The documents that match, in order, one at a time. `filter` has gone through `readFilter`. */
export function* scan(
  storage: Storage,
  collection: Collection,
  { filter, sort, skip = 0, limit = Number.POSITIVE_INFINITY, patience = Number.POSITIVE_INFINITY }: Query,
): Generator<Stored> {
  const { walk, narrow } = plansFor(storage, collection, filter, sort)
  const matches = compileFilter(filter)
  let [examined, position, next] = [0, 0, skip]
  const readerOf = ({ covered }: Plan): Read =>
    function* (recs) {
      for (const rec of recs) {
        if (examined >= patience) throw new TooLong()
        examined += 1
        const row = storage.get(`SELECT doc FROM docs_${collection.id} WHERE rec = ?`, rec)
        const stored = row && storedOf(rec, row.doc as Uint8Array)
        if (stored && (covered || matches(stored.doc))) yield stored
      }
    }
  const end = skip + limit
  function* wanted(found: Iterable<Stored>): Generator<Stored> {
    for (const stored of found) {
      position += 1
      if (position > next) yield stored
      if (position >= end) return
    }
  }
  if (walk && end <= TRIED) {
    yield* wanted(readerOf(walk)(recsOf(storage, collection, walk, 0).take(TRIED)))
    if (position >= end || examined < TRIED) return
    next = Math.max(skip, position)
  }
  const plan = narrow()
  position = plan.sorted && plan.covered ? next : 0
  const recs = recsOf(storage, collection, plan, position)
  const read = readerOf(plan)
  yield* wanted(plan.sorted ? read(recs) : inOrder(recs, read, sort!))
}

/** How many documents match, up to the limit. Where indexes alone can tell, no document is read. */
export function countOf(storage: Storage, collection: Collection, filter: Doc, limit: number): number {
  const { first, others, covered } = plansFor(storage, collection, filter).narrow(true)
  if (covered && first && first.ranges.length <= MAX_PIECES)
    return countIn(storage, [first, ...others], limit)
  return scan(storage, collection, { filter, limit }).reduce(count => count + 1, 0)
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

/** Keeps only keys and row ids while sorting, so large documents don't fill the memory. */
function* inOrder(recs: Iterable<number>, read: Read, sort: Sort): Generator<Stored> {
  const keys: { key: Buffer; rec: number }[] = []
  for (const { rec, doc } of read(recs)) keys.push({ rec, key: sortKey(doc, sort) })
  keys.sort((a, b) => Buffer.compare(a.key, b.key))
  yield* read(keys.map(({ rec }) => rec))
}

/** The rows of a plan without the first `skip`; without an index in the order in which they were inserted. */
function* recsOf(storage: Storage, { id }: Collection, { first, others }: Plan, skip: number) {
  if (!first) {
    yield* storage.column(`SELECT rec FROM docs_${id} ORDER BY rec LIMIT -1 OFFSET ?`, skip)
    return
  }
  const { index, ranges, order, isOnce } = first
  const direction = order === 'backward' ? 'DESC' : 'ASC'
  const sql = `SELECT rec FROM keys_${index.id} WHERE key >= ? AND key < ? AND ${alsoIn(others)}
    ORDER BY key ${direction}, rec ${direction} LIMIT -1 OFFSET ?`
  const seen = new Set<number>()
  for (const range of ranges) {
    const edges = [range.low, range.high, ...others.flatMap(edgesOf)]
    for (const rec of storage.column(sql, ...edges, isOnce ? skip : 0)) {
      if (!isOnce && (seen.has(rec) || seen.add(rec).size <= skip)) continue
      yield rec
    }
  }
}
