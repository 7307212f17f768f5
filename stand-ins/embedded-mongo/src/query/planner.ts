import type { Collection } from '../store/catalog.ts'
import { readerOf } from '../store/keys.ts'
import type { Storage } from '../store/storage.ts'
import type { Doc, Value } from '../store/values.ts'
import { after, demandsOf } from './bounds.ts'
import type { Sort } from './sort.ts'
import { edgesOf, isAsked, keysIn, rowsIn, type Stretch, standsIn, stretchesOf } from './stretch.ts'

/**
 * One way to read a collection: walks through an index, and looks each document up in those other indexes that narrow
 * the filter and have keys by document.
 */
export interface Plan {
  /** Undefined if the whole collection is read. */
  walk: Stretch | undefined
  others: Stretch[]
  /** Whether documents are read in the requested order. */
  sorted: boolean
  /** Whether only matches are read, so that skipping needs no tests. */
  covered: boolean
}

/** Walks the index with the most conditions, or one in the requested order if the former can look documents up. */
export function planFor(collection: Collection, filter: Doc, sort?: Sort): Plan {
  const demands = demandsOf(filter)
  const stretches = collection.indexes.flatMap(index => stretchesOf(index, demands, sort))
  // Prefers a unique index, then the most conditions, then the most equalities, then the requested order.
  stretches.sort(
    (a, b) =>
      Number(b.isUnique) - Number(a.isUnique) ||
      b.used.length - a.used.length ||
      b.equalities - a.equalities ||
      Number(!a.order) - Number(!b.order),
  )
  const tightest = stretches.find(({ used }) => used.length > 0)
  const ordered = stretches.find(({ order, used }) => order && (used.length > 0 || !tightest))
  const walk = ordered && (!tightest || (isAsked(tightest) && !tightest.isUnique)) ? ordered : tightest
  const used = new Set(walk?.used)
  const others = stretches.filter(stretch => {
    if (!isAsked(stretch) || stretch.used.every(demand => used.has(demand))) return false
    for (const demand of stretch.used) used.add(demand)
    return true
  })
  return {
    walk,
    others,
    sorted: !sort || walk?.order !== undefined,
    covered: demands.every(demand => demand.exact && used.has(demand)),
  }
}

/** Yields the row numbers of a plan, each once, without the first `skip`. */
export function* recsOf(storage: Storage, { id }: Collection, plan: Plan, skip: number): Generator<number> {
  const { walk } = plan
  if (!walk) return yield* storage.column(`SELECT rec FROM docs_${id} ORDER BY rec LIMIT -1 OFFSET ?`, skip)
  const { sql, values } = matchesIn(walk, plan.others)
  const seen = new Set<number>()
  const order = walk.order ? BY_ORDER[walk.order] : ''
  const rows = storage.column(`${sql} ${order} LIMIT -1 OFFSET ?`, ...values, walk.isOnce ? skip : 0)
  for (const rec of rows) {
    if (!walk.isOnce && (seen.has(rec) || seen.add(rec).size <= skip)) continue
    yield rec
  }
}

const BY_ORDER = { forward: 'ORDER BY key, rec', backward: 'ORDER BY key DESC, rec DESC' }

/** Returns SQL for the rows of an index that the others contain, once for each key. */
function matchesIn(walk: Stretch, others: Stretch[]) {
  const { sql, values } = keysIn(walk)
  return { sql: `SELECT rec ${sql} AND ${standsIn(others)}`, values: [...values, ...others.flatMap(edgesOf)] }
}

/** Counts matches up to the limit with indexes alone; undefined if that is impossible. */
export function countOfKeys(storage: Storage, { covered, walk, others }: Plan, limit: number) {
  if (!covered || !walk) return undefined
  if (walk.isOnce && others.length === 0) return rowsIn(storage, walk, limit)
  const { sql, values } = matchesIn(walk, others)
  const counted = `SELECT count(*) AS n FROM (SELECT DISTINCT rec FROM (${sql}) LIMIT ?)`
  return storage.get(counted, ...values, Number.isFinite(limit) ? limit : -1)!.n as number
}

/** Values of documents, each in the order of the fields. */
export interface Table {
  fields: string[]
  rows: Iterable<Value[] | undefined>
}

/** Returns matches as an index with all these fields has them. The last row is undefined if a key can't be decoded. */
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
    // The common beginning of all these keys is read once.
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
