import type { Collection } from '../store/catalog.ts'
import type { Stored } from '../store/records.ts'
import type { Storage } from '../store/storage.ts'
import { type Doc, decode } from '../store/values.ts'
import { compileFilter } from './filter.ts'
import { countOfKeys, planFor, recsOf } from './planner.ts'
import { type Sort, sortKey } from './sort.ts'

export interface Query {
  filter: Doc
  sort?: Sort | undefined
  skip?: number
  limit?: number
}

type Read = (recs: Iterable<number>) => Iterable<Stored>

/** Yields matching documents in order. `filter` comes from `readFilter`. */
export function* scan(
  storage: Storage,
  collection: Collection,
  { filter, sort, skip = 0, limit = Number.POSITIVE_INFINITY }: Query,
): Generator<Stored> {
  const plan = planFor(collection, filter, sort)
  const matches = compileFilter(filter)
  let position = plan.sorted && plan.covered ? skip : 0
  function* read(recs: Iterable<number>): Generator<Stored> {
    for (const rec of recs) {
      const row = storage.get(`SELECT doc FROM docs_${collection.id} WHERE rec = ?`, rec)
      const stored = row && storedOf(rec, row.doc as Uint8Array)
      if (stored && (plan.covered || matches(stored.doc))) yield stored
    }
  }
  const recs = recsOf(storage, collection, plan, position)
  for (const stored of plan.sorted ? read(recs) : inOrder(recs, read, sort!)) {
    position += 1
    if (position > skip) yield stored
    if (position >= skip + limit) return
  }
}

/** Counts matching documents up to the limit; reads no documents if indexes suffice. */
export function countOf(storage: Storage, collection: Collection, filter: Doc, limit: number): number {
  const counted = countOfKeys(storage, planFor(collection, filter), limit)
  return counted ?? scan(storage, collection, { filter, limit }).reduce(count => count + 1, 0)
}

/** Returns a document that is decoded on its first use. */
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

/** Keeps only keys and row numbers while sorting, so that large documents don't fill the memory. */
function* inOrder(recs: Iterable<number>, read: Read, sort: Sort): Generator<Stored> {
  const keys: { key: Buffer; rec: number }[] = []
  for (const { rec, doc } of read(recs)) keys.push({ rec, key: sortKey(doc, sort) })
  keys.sort((a, b) => Buffer.compare(a.key, b.key))
  yield* read(keys.map(({ rec }) => rec))
}
