import { hasKeysByDocument, type Index, isArrayAt } from '../store/catalog.ts'
import { inverted } from '../store/keys.ts'
import type { Storage } from '../store/storage.ts'
import { after, type Condition, EVERYTHING, inDirection, intersect, isWithin, type Range } from './bounds.ts'
import type { Sort } from './sort.ts'

/** A part of an index that contains every match, and perhaps other documents. */
export interface IndexScan {
  index: Index
  ranges: Range[]
  /** Conditions that limit its ranges. */
  used: Condition[]
  /** Number of fields that are limited by an equality. */
  equalities: number
  /** Direction in which it has the requested order. */
  order: 'forward' | 'backward' | undefined
  /** Whether each document occurs at most once. */
  isOnce: boolean
  /** Whether there is at most one document for each range. */
  isUnique: boolean
}

/** Lists of $in multiply in compound indexes; beyond this, the filter tests the next field. */
const MAX_RANGES = 2_000

/** In an index over arrays, different elements may fulfill a path's conditions, so each condition gets a scan. */
export function scansOf(index: Index, conditions: Condition[], sort: Sort | undefined): IndexScan[] {
  const all = index.paths.map(path =>
    conditions.filter(condition => condition.path === path && condition.ranges),
  )
  // A sparse index contains every match only if no match is null or missing.
  if (index.sparse && all.flat().every(({ ranges }) => isWithin(ranges!, null))) return []
  const most = Math.max(1, ...all.map((those, at) => (isArrayAt(index, at) ? those.length : 1)))
  return Array.from({ length: most }, (_, choice) => {
    const chosen = all.map((those, at) =>
      isArrayAt(index, at) ? those.slice(Math.min(choice, those.length - 1)).slice(0, 1) : those,
    )
    return scanOf(index, chosen, sort)
  })
}

/** `conditions` are the conditions on each of the index's paths. */
function scanOf(index: Index, conditions: Condition[][], sort: Sort | undefined): IndexScan {
  let prefixes: Buffer[] = [Buffer.alloc(0)]
  let ranges: Range[] | undefined
  const used: Condition[] = []
  const pinned = new Set<string>()
  let equalities = 0
  for (const [i, those] of conditions.entries()) {
    if (ranges || those.length === 0) break
    const found = those.map(condition => condition.ranges!).reduce(intersect)
    if (found.length * prefixes.length > MAX_RANGES) break
    const direction = index.directions[i]!
    used.push(...those)
    if (found.every(({ isPoint }) => isPoint)) {
      const keys = found.map(({ low }) => (direction === -1 ? inverted(low) : low))
      prefixes = prefixes.flatMap(prefix => keys.map(key => Buffer.concat([prefix, key])))
      equalities += 1
      if (found.length === 1) pinned.add(index.paths[i]!)
    } else ranges = prefixes.flatMap(prefix => found.map(range => inDirection(range, direction, prefix)))
  }
  const isOnce = index.paths.every((path, at) => pinned.has(path) || !isArrayAt(index, at))
  ranges ??= equalities === 0 ? [EVERYTHING] : prefixes.map(low => ({ low, high: after(low) }))
  return {
    index,
    ranges,
    used,
    equalities,
    isOnce: isOnce && ranges.length <= 1,
    order: sort && isOnce && ranges.length === 1 ? orderOf(index, pinned, sort) : undefined,
    isUnique: index.unique === true && equalities === index.paths.length,
  }
}

/** Returns the direction of the requested order. Fields that the filter pins to one value don't take part in it. */
function orderOf(index: Index, pinned: Set<string>, sort: Sort): IndexScan['order'] {
  const wanted = Object.entries(sort).filter(([path]) => !pinned.has(path))
  const offered = Object.entries(index.key).filter(([path]) => !pinned.has(path))
  const agree = (sign: number) =>
    wanted.every(([path, direction], i) => offered[i]?.[0] === path && offered[i][1] === direction * sign)
  if (agree(1)) return 'forward'
  return agree(-1) ? 'backward' : undefined
}

/** Whether a single document can be looked up in it directly. */
export const canLookUp = ({ index, ranges }: IndexScan) => hasKeysByDocument(index) && ranges.length === 1

/** Returns SQL for a condition on `o.rec`: all of these scans contain it. */
export function containedIn(all: IndexScan[]): string {
  const conditions = all.map(
    ({ index: { id } }) =>
      `EXISTS (SELECT 1 FROM keys_${id} INDEXED BY recs_${id} WHERE rec = o.rec AND key >= ? AND key < ?)`,
  )
  return ['1', ...conditions].join(' AND ')
}

/** Returns SQL for its keys in all ranges, with the values for the placeholders. */
export function keysSql(scan: IndexScan): { sql: string; values: (string | Uint8Array)[] } {
  const { index, ranges } = scan
  if (ranges.length === 1)
    return { sql: `FROM keys_${index.id} AS o WHERE o.key >= ? AND o.key < ?`, values: boundsOf(scan) }
  const edges = ranges.map(({ low, high }) => [low.toString('hex'), high.toString('hex')])
  const isWithin = 'o.key >= unhex(range.value ->> 0) AND o.key < unhex(range.value ->> 1)'
  const sql = `FROM json_each(?) AS range CROSS JOIN keys_${index.id} AS o WHERE ${isWithin}`
  return { sql, values: [JSON.stringify(edges)] }
}

export function countRows(storage: Storage, scan: IndexScan, limit: number): number {
  const { sql, values } = keysSql(scan)
  const counted = `SELECT count(*) AS n FROM (SELECT 1 ${sql} LIMIT ?)`
  return storage.get(counted, ...values, Number.isFinite(limit) ? limit : -1)!.n as number
}

/** Returns the values for the placeholders of its SQL. */
export function boundsOf({ ranges }: Pick<IndexScan, 'ranges'>): Buffer[] {
  return ranges.flatMap(({ low, high }) => [low, high])
}
