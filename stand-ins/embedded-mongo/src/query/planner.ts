import type { Collection } from '../store/catalog.ts'
import { readerOf } from '../store/keys.ts'
import type { Storage } from '../store/storage.ts'
import type { Doc, Value } from '../store/values.ts'
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
  const others = (walk: Stretch) => othersThan(walk, narrowing)
  if (!ordered) {
    const walk = shortestOf(storage, narrowing, covered)
    if (walk) return walkedIn(storage, walk, skip, others(walk))
    return storage.column(`SELECT rec FROM docs_${id} ORDER BY rec LIMIT -1 OFFSET ?`, skip)
  }
  const rivals = narrowing.filter(stretch => stretch !== ordered)
  const needed = skip + enough
  // As `few` is no less than what is needed, the order need not be counted beside so small an index.
  const tiny = Number.isFinite(needed) ? smallest(storage, rivals, needed) : undefined
  const keys = rivals.length > 0 && !tiny ? rowsIn(storage, ordered) : 0
  const few = Math.floor(Math.sqrt(keys * Math.min(needed, keys)))
  const walk = tiny ?? smallest(storage, rivals, few)
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

/** Those in which documents of another one are looked up. */
const othersThan = (walk: Stretch, all: Stretch[]) =>
  all.filter(stretch => stretch !== walk && isAsked(stretch))

/** The one to walk where no order is wanted. If that is to find matches only, one that no document is looked up in. */
function shortestOf(storage: Storage, narrowing: Stretch[], covered: boolean): Stretch | undefined {
  return (covered && narrowing.find(stretch => !isAsked(stretch))) || smallest(storage, narrowing)
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
  { covered, narrowing }: Plan,
  limit: number,
): number | undefined {
  const walk = covered && shortestOf(storage, narrowing, covered)
  if (!walk) return undefined
  const others = othersThan(walk, narrowing)
  if (walk.isOnce && others.length === 0) return rowsIn(storage, walk, limit)
  const { sql, values } = matchesIn(walk, others)
  const counted = `SELECT count(*) AS n FROM (SELECT DISTINCT rec FROM (${sql}) LIMIT ?)`
  return storage.get(counted, ...values, Number.isFinite(limit) ? limit : -1)!.n as number
}

/** Values of documents, each by the order of the fields. */
export interface Table {
  fields: string[]
  rows: Iterable<Value[] | undefined>
}

/** Matches as an index with all these fields has them; the last row is undefined if a key cannot be decoded. */
export function tableOfKeys(
  storage: Storage,
  collection: Collection,
  filter: Doc,
  fields: string[],
): Table | undefined {
  const demands = demandsOf(filter)
  const stretch = collection.indexes
    .filter(({ arrays, paths }) => !arrays && fields.every(field => paths.includes(field)))
    .flatMap(index => stretchesOf(index, demands, undefined))
    .find(({ used }) => demands.every(demand => demand.exact && used.includes(demand)))
  if (!stretch || stretch.index.directions.includes(-1)) return undefined
  return { fields: stretch.index.paths, rows: rowsOfKeys(storage, stretch) }
}

function* rowsOfKeys(
  storage: Storage,
  { index: { id, paths }, ranges }: Stretch,
): Generator<Value[] | undefined> {
  const sql = `SELECT count(*) AS n, CAST(group_concat(substr(key, ?), '') AS BLOB) AS keys FROM keys_${id}
    WHERE key >= ? AND key < ?`
  for (const { low, high } of ranges) {
    // What all of these keys begin with is read once.
    const shared = after(low).equals(high) ? low : Buffer.alloc(0)
    const { n, keys } = storage.get(sql, shared.length + 1, low, high)! as { n: number; keys?: Uint8Array }
    const first: Value[] = []
    for (const reader = readerOf(shared); !reader.isAtEnd(); ) first.push(reader.next())
    const { next } = readerOf(Buffer.from(keys ?? []))
    for (let at = 0; at < n; at++) {
      const row = first.slice()
      while (row.length < paths.length) row.push(next())
      if (row.includes(undefined)) return yield undefined
      yield row
    }
  }
}

/** Yields the rows of an index in its order that the others contain, each once; `among`: keys read at most. */
function* walkedIn(
  storage: Storage,
  walk: Stretch,
  skip: number,
  others: Condition[] = [],
  among = -1,
): Generator<number> {
  const { sql, values } = matchesIn(walk, others, among)
  const seen = new Set<number>()
  for (const rec of storage.column(`${sql} LIMIT -1 OFFSET ?`, ...values, walk.isOnce ? skip : 0)) {
    if (!walk.isOnce && (seen.has(rec) || seen.add(rec).size <= skip)) continue
    yield rec
  }
}

/** SQL for its rows in its order that the others contain, once for each key; `among`: keys read at most. */
function matchesIn(walk: Stretch, others: Condition[], among = -1) {
  const { sql: keys, values } = keysIn(walk)
  const sql = `SELECT rec FROM (SELECT rec ${keys} ${byOrder(walk)} LIMIT ?) AS o WHERE ${standsIn(others)}`
  return { sql, values: [...values, among, ...others.flatMap(edgesOf)] }
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
