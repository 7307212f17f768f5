import type { Collection } from '../store/catalog.ts'
import { readerOf } from '../store/keys.ts'
import type { Storage } from '../store/storage.ts'
import type { Doc, Value } from '../store/values.ts'
import { after, conditionsOf } from './bounds.ts'
import {
  boundsOf,
  canLookUp,
  containedIn,
  countRows,
  type IndexScan,
  keysSql,
  scansOf,
} from './index-scan.ts'
import type { Sort } from './sort.ts'

/**
 * One way to read a collection: scans an index, and looks each document up in those other indexes that narrow
 * the filter and have keys by document.
 */
export interface Plan {
  /** Undefined if the whole collection is read. */
  scan: IndexScan | undefined
  others: IndexScan[]
  /** Whether documents are read in the requested order. */
  sorted: boolean
  /** Whether only matches are read, so that skipping needs no tests. */
  covered: boolean
}

/** Scans the index with the most conditions, or one in the requested order if the former can look documents up. */
export function planFor(collection: Collection, filter: Doc, sort?: Sort): Plan {
  const conditions = conditionsOf(filter)
  const scans = collection.indexes.flatMap(index => scansOf(index, conditions, sort))
  // Prefers a unique index, then the most conditions, then the most equalities, then the requested order.
  scans.sort(
    (a, b) =>
      Number(b.isUnique) - Number(a.isUnique) ||
      b.used.length - a.used.length ||
      b.equalities - a.equalities ||
      Number(!a.order) - Number(!b.order),
  )
  const tightest = scans.find(({ used }) => used.length > 0)
  const ordered = scans.find(({ order, used }) => order && (used.length > 0 || !tightest))
  const scan = ordered && (!tightest || (canLookUp(tightest) && !tightest.isUnique)) ? ordered : tightest
  const used = new Set(scan?.used)
  const others = scans.filter(other => {
    if (!canLookUp(other) || other.used.every(condition => used.has(condition))) return false
    for (const condition of other.used) used.add(condition)
    return true
  })
  return {
    scan,
    others,
    sorted: !sort || scan?.order !== undefined,
    covered: conditions.every(condition => condition.exact && used.has(condition)),
  }
}

/** Yields the row numbers of a plan, each once, without the first `skip`. */
export function* recsOf(storage: Storage, { id }: Collection, plan: Plan, skip: number): Generator<number> {
  const { scan } = plan
  if (!scan) return yield* storage.column(`SELECT rec FROM docs_${id} ORDER BY rec LIMIT -1 OFFSET ?`, skip)
  const { sql, values } = matchesIn(scan, plan.others)
  const seen = new Set<number>()
  const order = scan.order ? BY_ORDER[scan.order] : ''
  const rows = storage.column(`${sql} ${order} LIMIT -1 OFFSET ?`, ...values, scan.isOnce ? skip : 0)
  for (const rec of rows) {
    if (!scan.isOnce && (seen.has(rec) || seen.add(rec).size <= skip)) continue
    yield rec
  }
}

const BY_ORDER = { forward: 'ORDER BY key, rec', backward: 'ORDER BY key DESC, rec DESC' }

/** Returns SQL for the rows of an index that the others contain, once for each key. */
function matchesIn(scan: IndexScan, others: IndexScan[]) {
  const { sql, values } = keysSql(scan)
  return {
    sql: `SELECT rec ${sql} AND ${containedIn(others)}`,
    values: [...values, ...others.flatMap(boundsOf)],
  }
}

/** Counts matches up to the limit with indexes alone; undefined if that is impossible. */
export function countOfKeys(storage: Storage, { covered, scan, others }: Plan, limit: number) {
  if (!covered || !scan) return undefined
  if (scan.isOnce && others.length === 0) return countRows(storage, scan, limit)
  const { sql, values } = matchesIn(scan, others)
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
  const conditions = conditionsOf(filter)
  const scan = collection.indexes
    .filter(({ arrays, paths }) => !arrays && fields.every(field => paths.includes(field)))
    .flatMap(index => scansOf(index, conditions, undefined))
    .find(({ used }) => conditions.every(condition => condition.exact && used.includes(condition)))
  if (!scan || scan.index.directions.includes(-1)) return undefined
  return { fields: scan.index.paths, rows: rowsOfKeys(storage, scan) }
}

function* rowsOfKeys(
  storage: Storage,
  { index: { id, paths }, ranges }: IndexScan,
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
