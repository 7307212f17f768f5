import { after, demandsOf } from './bounds.ts'
import type { Collection } from './catalog.ts'
import { valuesIn } from './keys.ts'
import type { Sort } from './sort.ts'
import type { Storage } from './storage.ts'
import { type Condition, edgesOf, isAsked, rowsIn, type Stretch, standsIn, stretchesOf } from './stretch.ts'
import type { Doc } from './values.ts'

// One index is read; each document is looked up in the others that narrow the filter, if possible. Where the order is that
// of another index, the page is looked for among the first keys in that order; else a few matches are gathered and put in
// order; if there are many, the order is followed to its end.

export interface Plan {
  /** Index with the wanted order, or the only one; undefined: the whole collection. */
  walk: Stretch | undefined
  /** The indexes that narrow the filter, if more than the walk does. */
  narrowing: Stretch[]
  /** True when documents are read in the order that was asked for. */
  sorted: boolean
  /** True when only matches are read: nothing needs to be tested for skipping. */
  covered: boolean
}

/** Keys of an order among which a page is looked for first. */
const NEAR = 2_000
/** Documents that are put in order by their keys. */
const GATHERED_MAX = 4_000
/** Keys up to which stretches are compared by their size. */
const SIZED = 60_000
/** Keys that are read in the time of one look-up. */
const LOOK_UP_KEYS = 4
/** Look-ups by which each match of a limit is expected to be found. */
const MATCH_LOOK_UPS = 16

export function planFor(collection: Collection, filter: Doc, sort?: Sort): Plan {
  const demands = demandsOf(filter)
  const stretches = collection.indexes.flatMap(index => stretchesOf(index, demands, sort))
  // Those that use most conditions come first, and among equals those with the order.
  stretches.sort((a, b) => b.used.length - a.used.length || Number(!a.order) - Number(!b.order))
  const unique = stretches.find(({ isUnique }) => isUnique)
  const tightest = unique ? [unique] : stretches.filter(isTightest)
  const ordered = stretches.find(({ order, used }) => order && (used.length > 0 || tightest.length === 0))
  const unasked = tightest.find(stretch => !isAsked(stretch))
  const narrowing = tightest.filter(stretch => stretch === unasked || isAsked(stretch))
  const walk = unique ?? ordered ?? (narrowing.length === 1 ? narrowing[0] : undefined)
  const read = walk?.order ? [walk, ...narrowing.filter(isAsked)] : narrowing
  return {
    walk,
    narrowing: narrowing.every(stretch => stretch === walk) ? [] : narrowing,
    sorted: !sort || walk?.order !== undefined,
    covered: demands.every(demand => demand.exact && read.some(({ used }) => used.includes(demand))),
  }
}

/** Whether no stretch in front of it uses all of its conditions. */
function isTightest({ used }: Stretch, at: number, all: Stretch[]): boolean {
  const isWithin = (other: Stretch) => used.every(demand => other.used.includes(demand))
  return used.length > 0 && !all.slice(0, at).some(isWithin)
}

/** The rows of a plan without the first `skip`; `enough`: the reader needs no more rows than that. */
export function recsOf(
  storage: Storage,
  { id }: Collection,
  { walk, narrowing, sorted, covered }: Plan,
  skip: number,
  enough: number,
): Iterable<number> {
  if (narrowing.length === 0)
    return walk
      ? walkedIn(storage, walk, skip)
      : storage.column(`SELECT rec FROM docs_${id} ORDER BY rec LIMIT -1 OFFSET ?`, skip)
  if (!walk || !sorted) return gathered(storage, narrowing).drop(skip)
  const others = narrowing.filter(stretch => stretch !== walk && isAsked(stretch))
  const near = covered ? walkedIn(storage, walk, skip, others, NEAR).take(enough).toArray() : []
  if (near.length === enough) return near
  const few = gathered(storage, narrowing, GATHERED_MAX + 1).toArray()
  if (few.length > GATHERED_MAX) return walkedIn(storage, walk, skip, others)
  return inOrderOf(storage, walk, few).slice(skip)
}

/** Counts matches up to the limit from indexes alone; undefined where that is impossible. */
export function countOfKeys(storage: Storage, plan: Plan, limit: number): number | undefined {
  const { walk, narrowing, covered } = plan
  if (!covered || !(walk || narrowing.length > 0)) return undefined
  const all = narrowing.length > 0 ? narrowing : [walk!]
  if (all.length === 1 && all[0]!.isOnce) return rowsIn(storage, all[0]!, limit)
  return gathered(storage, all, limit).reduce(count => count + 1, 0)
}

/** Returns matches with only these fields, from the keys of one index; undefined if none has them all. */
export function docsOfKeys(
  storage: Storage,
  collection: Collection,
  filter: Doc,
  fields: string[],
): Doc[] | undefined {
  const demands = demandsOf(filter)
  const stretch = collection.indexes
    .filter(({ arrays, paths }) => !arrays && fields.every(field => paths.includes(field)))
    .flatMap(index => stretchesOf(index, demands, undefined))
    .find(({ used }) => demands.every(demand => demand.exact && used.includes(demand)))
  if (!stretch || stretch.index.directions.includes(-1)) return undefined
  const { id, paths } = stretch.index
  const sql = `SELECT CAST(group_concat(substr(key, ?), '') AS BLOB) AS keys FROM keys_${id} WHERE key >= ? AND key < ?`
  const docs: Doc[] = []
  for (const { low, high } of stretch.ranges) {
    // What all of these keys begin with is read once.
    const shared = after(low).equals(high) ? low : Buffer.alloc(0)
    const keys = storage.get(sql, shared.length + 1, low, high)!.keys as Uint8Array | null
    const [first, rest] = [valuesIn(Buffer.from(shared)), valuesIn(Buffer.from(keys ?? []))]
    if (!first || !rest) return undefined
    const width = paths.length - first.length
    const places = fields.map(field => [field, paths.indexOf(field) - first.length] as const)
    for (let at = 0; at < rest.length; at += width) {
      const doc: Doc = {}
      for (const [field, place] of places)
        doc[field] = place < 0 ? first[first.length + place] : rest[at + place]
      docs.push(doc)
    }
  }
  return docs
}

/** Yields the rows of an index in its order that the others contain, each once; `among`: keys read at most. */
function* walkedIn(
  storage: Storage,
  walk: Stretch,
  skip: number,
  others: Condition[] = [],
  among = -1,
): Generator<number> {
  const { index, ranges, isOnce } = walk
  const keys = `SELECT rec FROM keys_${index.id} WHERE key >= ? AND key < ? ORDER BY ${byOrder(walk)} LIMIT ?`
  const sql = `SELECT rec FROM (${keys}) AS o WHERE ${standsIn(others)} LIMIT -1 OFFSET ?`
  const seen = new Set<number>()
  for (const { low, high } of ranges)
    for (const rec of storage.column(sql, low, high, among, ...others.flatMap(edgesOf), isOnce ? skip : 0)) {
      if (!isOnce && (seen.has(rec) || seen.add(rec).size <= skip)) continue
      yield rec
    }
}

/**
 * Yields documents found in all stretches. Reads the one without look-ups by document, else the smallest; and others that
 * are not much larger, which takes less than to look many documents up, unless the limit is likely met after a few.
 */
function gathered(storage: Storage, all: Stretch[], limit = Number.POSITIVE_INFINITY) {
  const bySize = all
    .map(stretch => ({ stretch, size: isAsked(stretch) ? rowsIn(storage, stretch, SIZED) : -1 }))
    .sort((a, b) => a.size - b.size)
  const smallest = bySize[0]!.size
  const most = smallest < limit * MATCH_LOOK_UPS ? Math.min(smallest * LOOK_UP_KEYS, SIZED - 1) : 0
  const [first, ...others] = bySize.map(({ stretch, size }) => ({ ...stretch, isListed: size <= most }))
  return walkedIn(storage, first!, 0, others).take(limit)
}

/** Returns the documents that an index contains, in its order. */
function inOrderOf(storage: Storage, walk: Stretch, recs: number[]): number[] {
  const { id } = walk.index
  const asked = isAsked(walk) ? `INDEXED BY recs_${id}` : ''
  const sql = `SELECT rec FROM keys_${id} ${asked} WHERE key >= ? AND key < ?
    AND rec IN (SELECT value FROM json_each(?)) ORDER BY ${byOrder(walk)}`
  return [...storage.column(sql, ...edgesOf(walk), JSON.stringify(recs))]
}

const byOrder = ({ order }: Stretch) => (order === 'backward' ? 'key DESC, rec DESC' : 'key, rec')
