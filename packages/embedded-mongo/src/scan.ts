import type { Range } from './bounds.ts'
import type { Collection } from './catalog.ts'
import { compileFilter } from './expressions.ts'
import { type Plan, planFor, type Sort } from './planner.ts'
import type { Stored } from './records.ts'
import { sortKey } from './sort.ts'
import type { Storage } from './storage.ts'
import { type Doc, decode } from './values.ts'

/** What a read cost: how often a document was read and decoded, and by which index it was found. */
export type ScanCost = { examined: number; index: string | undefined }

export type Query = { filter: Doc; sort?: Sort | undefined; skip?: number; limit?: number }

/**
 * The documents that match, in order, one at a time: nothing stays open in SQLite between two of them, and each is
 * read and tested when its turn comes, so changes in between are seen. `filter` has gone through `readFilter`.
 */
export function* scan(
  storage: Storage,
  collection: Collection,
  { filter, sort, skip = 0, limit = Number.POSITIVE_INFINITY }: Query,
  cost: ScanCost = { examined: 0, index: undefined },
): Generator<Stored> {
  const matches = compileFilter(filter)
  const plan = planFor(collection, filter, sort)
  cost.index = plan?.index.name
  const read = (rec: number): Stored | undefined => {
    const row = storage.get(`SELECT doc FROM docs_${collection.id} WHERE rec = ?`, rec)
    if (!row) return undefined
    cost.examined += 1
    const doc = decode(row.doc as Uint8Array)
    return matches(doc) ? { rec, doc } : undefined
  }
  const recs = plan ? recsByIndex(storage, plan) : recsOf(storage, collection)
  const found = sort && !plan?.sorted ? inOrder(recs, read, sort) : matching(recs, read)
  let position = 0
  for (const stored of found) {
    position += 1
    if (position > skip + limit) return
    if (position > skip) yield stored
    if (position >= skip + limit) return
  }
}

function* matching(recs: Iterable<number>, read: (rec: number) => Stored | undefined): Generator<Stored> {
  for (const rec of recs) {
    const stored = read(rec)
    if (stored) yield stored
  }
}

/** Keeps only keys and row ids while sorting, so large documents don't fill the memory. */
function* inOrder(
  recs: Iterable<number>,
  read: (rec: number) => Stored | undefined,
  sort: Sort,
): Generator<Stored> {
  const keys: { key: Buffer; rec: number }[] = []
  for (const { rec, doc } of matching(recs, read)) keys.push({ rec, key: sortKey(doc, sort) })
  keys.sort((a, b) => Buffer.compare(a.key, b.key))
  yield* matching(
    keys.map(({ rec }) => rec),
    read,
  )
}

const firstChunk = 16
const largestChunk = 1_024

/** All rows in the order in which they were inserted. */
function* recsOf(storage: Storage, { id }: Collection): Generator<number> {
  const sql = `SELECT rec FROM docs_${id} WHERE rec > ? ORDER BY rec LIMIT ?`
  for (let last = -1, size = firstChunk; ; size = Math.min(size * 2, largestChunk)) {
    const rows = storage.all(sql, last, size)
    for (const row of rows) yield row.rec as number
    if (rows.length < size) return
    last = rows.at(-1)!.rec as number
  }
}

function* recsByIndex(storage: Storage, { index, ranges, reverse }: Plan): Generator<number> {
  const repeats = index.multikey || ranges.length > 1
  const seen = new Set<number>()
  for (const range of ranges)
    for (const rec of recsInRange(storage, index.id, range, reverse)) {
      if (repeats && seen.has(rec)) continue
      if (repeats) seen.add(rec)
      yield rec
    }
}

function* recsInRange(storage: Storage, id: number, range: Range, reverse: boolean): Generator<number> {
  const sql = reverse
    ? `SELECT key, rec FROM keys_${id} WHERE (key, rec) < (?, ?) AND key >= ? ORDER BY key DESC, rec DESC LIMIT ?`
    : `SELECT key, rec FROM keys_${id} WHERE (key, rec) > (?, ?) AND key < ? ORDER BY key, rec LIMIT ?`
  let [from, last] = [reverse ? range.high : range.low, -1]
  const to = reverse ? range.low : range.high
  for (let size = firstChunk; ; size = Math.min(size * 2, largestChunk)) {
    const rows = storage.all(sql, from, last, to, size) as { key: Buffer; rec: number }[]
    for (const row of rows) yield row.rec
    if (rows.length < size) return
    ;({ key: from, rec: last } = rows.at(-1)!)
  }
}

/** Reads a whole collection, whatever its indexes. */
export const allOf = (storage: Storage, collection: Collection): Generator<Stored> =>
  scan(storage, { ...collection, indexes: [] }, { filter: {} })
