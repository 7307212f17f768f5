import type { Collection } from '../store/catalog.ts'
import { valuesIn } from '../store/keys.ts'
import type { Storage } from '../store/storage.ts'
import type { Doc } from '../store/values.ts'
import { after, demandsOf } from './bounds.ts'
import type { Sort } from './sort.ts'
import {
  type Condition,
  edgesOf,
  isAsked,
  keysIn,
  rowsIn,
  type Stretch,
  standsIn,
  stretchesOf,
} from './stretch.ts'

// The index with the longest pinned prefix is read, the one with the wanted order if that is as good; each document is looked
// up in the others that narrow the filter, where they have keys by document.

export interface Plan {
  /** The index with the wanted order. */
  ordered: Stretch | undefined
  /** The indexes that narrow the filter. Without them and an order the whole collection is read. */
  narrowing: Stretch[]
  /** True when documents are read in the order that was asked for. */
  sorted: boolean
  /** True when only matches are read: nothing needs to be tested for skipping. */
  covered: boolean
}

/** Keys that are read in the time of one look-up. */
const LOOK_UP_KEYS = 4

export function planFor(collection: Collection, filter: Doc, sort?: Sort): Plan {
  const demands = demandsOf(filter)
  const stretches = collection.indexes.flatMap(index => stretchesOf(index, demands, sort))
  // Those that use most conditions come first, and among equals those with the order.
  stretches.sort((a, b) => b.used.length - a.used.length || Number(!a.order) - Number(!b.order))
  const unique = stretches.find(({ isUnique }) => isUnique)
  const tightest = unique ? [unique] : stretches.filter(isTightest)
  const unasked = tightest.find(stretch => !isAsked(stretch))
  const narrowing = tightest.filter(stretch => stretch === unasked || isAsked(stretch))
  const inOrder = unique ? [unique] : stretches
  const ordered = inOrder.find(({ order, used }) => order && (used.length > 0 || tightest.length === 0))
  const read = ordered ? [ordered, ...narrowing.filter(isAsked)] : narrowing
  return {
    ordered,
    narrowing,
    sorted: !sort || ordered !== undefined,
    covered: demands.every(demand => demand.exact && read.some(({ used }) => used.includes(demand))),
  }
}

/** Whether no stretch in front of it uses all of its conditions. */
function isTightest({ used }: Stretch, at: number, all: Stretch[]): boolean {
  const isWithin = (other: Stretch) => used.every(demand => other.used.includes(demand))
  return used.length > 0 && !all.slice(0, at).some(isWithin)
}

/**
 * The rows of a plan without the first `skip`; `enough`: the reader needs no more rows than that. Matches that are spread
 * evenly are either no more than `few`, or so many that `few` keys of the order have the last one that is needed. So the
 * order is followed unless another index has fewer keys than that, or `few` keys of the order had too few matches: then all
 * matches are gathered and put in order. A larger index is read once where that is less than to look many rows up in it.
 */
export function recsOf(
  storage: Storage,
  { id }: Collection,
  { ordered, narrowing, covered }: Plan,
  skip: number,
  enough: number,
): Iterable<number> {
  const others = (walk: Stretch) => narrowing.filter(stretch => stretch !== walk && isAsked(stretch))
  if (!ordered) {
    // One that no document is looked up in counts only as the one that is walked.
    const walk = (covered && narrowing.find(stretch => !isAsked(stretch))) || smallest(storage, narrowing)
    if (walk) return walkedIn(storage, walk, skip, others(walk))
    return storage.column(`SELECT rec FROM docs_${id} ORDER BY rec LIMIT -1 OFFSET ?`, skip)
  }
  const rivals = narrowing.filter(stretch => stretch !== ordered)
  const keys = rivals.length > 0 ? rowsIn(storage, ordered) : 0
  const few = Math.floor(Math.sqrt(keys * Math.min(skip + enough, keys)))
  const walk = smallest(storage, rivals, few)
  if (walk) return inOrderOf(storage, ordered, walkedIn(storage, walk, 0, others(walk))).slice(skip)
  const asked = others(ordered)
  if (!covered || asked.length === 0 || few === keys) return walkedIn(storage, ordered, skip, asked)
  const near = walkedIn(storage, ordered, skip, asked, few).take(enough).toArray()
  if (near.length === enough) return near
  const [first, ...more] = bySize(storage, asked, keys)
  if (first!.size === keys) return walkedIn(storage, ordered, skip, asked)
  const isListed = (size: number) => size < Math.min(keys, LOOK_UP_KEYS * first!.size)
  const conditions = more.map(({ stretch, size }) => ({ ...stretch, isListed: isListed(size) }))
  return inOrderOf(storage, ordered, walkedIn(storage, first!.stretch, 0, conditions)).slice(skip)
}

/** Returns stretches by their size, which is counted up to `most`. */
function bySize(storage: Storage, all: Stretch[], most?: number) {
  const sized = all.map(stretch => ({ stretch, size: rowsIn(storage, stretch, most) }))
  return sized.sort((a, b) => a.size - b.size)
}

/** Returns the stretch with the fewest keys; only one with less than `most`, if given. */
function smallest(storage: Storage, all: Stretch[], most?: number): Stretch | undefined {
  if (all.length < 2 && most === undefined) return all[0]
  const [first] = bySize(storage, all, most)
  return first && first.size < (most ?? Number.POSITIVE_INFINITY) ? first.stretch : undefined
}

/** Counts matches up to the limit from indexes alone; undefined where that is impossible. */
export function countOfKeys(
  storage: Storage,
  collection: Collection,
  plan: Plan,
  limit: number,
): number | undefined {
  if (!plan.covered || plan.narrowing.length === 0) return undefined
  const [only, ...others] = plan.narrowing
  if (only?.isOnce && others.length === 0) return rowsIn(storage, only, limit)
  return Iterator.from(recsOf(storage, collection, plan, 0, limit))
    .take(limit)
    .reduce(count => count + 1, 0)
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
  const { sql: keys, values } = keysIn(walk)
  const sql = `SELECT rec FROM (SELECT rec ${keys} ${byOrder(walk)} LIMIT ?) AS o WHERE ${standsIn(others)}
    LIMIT -1 OFFSET ?`
  const seen = new Set<number>()
  const edges = others.flatMap(edgesOf)
  for (const rec of storage.column(sql, ...values, among, ...edges, walk.isOnce ? skip : 0)) {
    if (!walk.isOnce && (seen.has(rec) || seen.add(rec).size <= skip)) continue
    yield rec
  }
}

/** Returns the documents that an index contains, in its order. */
function inOrderOf(storage: Storage, walk: Stretch, recs: Iterable<number>): number[] {
  const { id } = walk.index
  const asked = isAsked(walk) ? `INDEXED BY recs_${id}` : ''
  const sql = `SELECT rec FROM keys_${id} ${asked} WHERE key >= ? AND key < ?
    AND rec IN (SELECT value FROM json_each(?)) ${byOrder(walk)}`
  return [...storage.column(sql, ...edgesOf(walk), JSON.stringify([...recs]))]
}

const BY_ORDER = { forward: 'ORDER BY key, rec', backward: 'ORDER BY key DESC, rec DESC' }
const byOrder = ({ order }: Stretch) => (order ? BY_ORDER[order] : '')
