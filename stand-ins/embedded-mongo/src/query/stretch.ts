import { type Index, isArrayAt, isAskedByDocument } from '../store/catalog.ts'
import { inverted } from '../store/keys.ts'
import type { Storage } from '../store/storage.ts'
import { after, type Demand, EVERYTHING, inDirection, intersect, isWithin, type Range } from './bounds.ts'
import type { Sort } from './sort.ts'

/** A part of an index that holds every match, and perhaps others. */
export interface Stretch {
  index: Index
  ranges: Range[]
  /** The demands by which its ranges are bounded. */
  used: Demand[]
  /** Fields that are bounded by equality. */
  equalities: number
  /** The direction in which it has the wanted order. */
  order: 'forward' | 'backward' | undefined
  /** No document stands in it twice. */
  isOnce: boolean
  /** At most one document for each range. */
  isUnique: boolean
}

/** $in lists multiply in compound indexes; beyond this the next field is left to the filter. */
const MAX_RANGES = 2_000

/** In an index over arrays different elements may fulfil the demands on a path, so each of them is a stretch. */
export function stretchesOf(index: Index, demands: Demand[], sort: Sort | undefined): Stretch[] {
  const all = index.paths.map(path => demands.filter(demand => demand.path === path && demand.ranges))
  // A sparse index holds every match only where no match is null or missing.
  if (index.sparse && all.flat().every(({ ranges }) => isWithin(ranges!, null))) return []
  const most = Math.max(1, ...all.map((those, at) => (isArrayAt(index, at) ? those.length : 1)))
  return Array.from({ length: most }, (_, choice) => {
    const chosen = all.map((those, at) =>
      isArrayAt(index, at) ? those.slice(Math.min(choice, those.length - 1)).slice(0, 1) : those,
    )
    return stretchOf(index, chosen, sort)
  })
}

/** `demands` are those on each of the index's paths. */
function stretchOf(index: Index, demands: Demand[][], sort: Sort | undefined): Stretch {
  let prefixes: Buffer[] = [Buffer.alloc(0)]
  let ranges: Range[] | undefined
  const used: Demand[] = []
  const pinned = new Set<string>()
  let equalities = 0
  for (const [i, those] of demands.entries()) {
    if (ranges || those.length === 0) break
    const found = those.map(demand => demand.ranges!).reduce(intersect)
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

/** Fields that the filter pins to one value don't take part in the order. */
function orderOf(index: Index, pinned: Set<string>, sort: Sort): Stretch['order'] {
  const wanted = Object.entries(sort).filter(([path]) => !pinned.has(path))
  const offered = Object.entries(index.key).filter(([path]) => !pinned.has(path))
  const agree = (sign: number) =>
    wanted.every(([path, direction], i) => offered[i]?.[0] === path && offered[i][1] === direction * sign)
  if (agree(1)) return 'forward'
  return agree(-1) ? 'backward' : undefined
}

/** Whether one document can be looked up in it directly. */
export const isAsked = ({ index, ranges }: Stretch) => isAskedByDocument(index) && ranges.length === 1

/** SQL for a condition on `o.rec`: all of these contain it. */
export function standsIn(all: Stretch[]): string {
  const conditions = all.map(
    ({ index: { id } }) =>
      `EXISTS (SELECT 1 FROM keys_${id} INDEXED BY recs_${id} WHERE rec = o.rec AND key >= ? AND key < ?)`,
  )
  return ['1', ...conditions].join(' AND ')
}

/** SQL for its keys in all ranges, with the values for its placeholders. */
export function keysIn(stretch: Stretch): { sql: string; values: (string | Uint8Array)[] } {
  const { index, ranges } = stretch
  if (ranges.length === 1)
    return { sql: `FROM keys_${index.id} AS o WHERE o.key >= ? AND o.key < ?`, values: edgesOf(stretch) }
  const edges = ranges.map(({ low, high }) => [low.toString('hex'), high.toString('hex')])
  const isWithin = 'o.key >= unhex(range.value ->> 0) AND o.key < unhex(range.value ->> 1)'
  const sql = `FROM json_each(?) AS range CROSS JOIN keys_${index.id} AS o WHERE ${isWithin}`
  return { sql, values: [JSON.stringify(edges)] }
}

/** Counts its keys, up to the limit. */
export function rowsIn(storage: Storage, stretch: Stretch, limit: number): number {
  const { sql, values } = keysIn(stretch)
  const counted = `SELECT count(*) AS n FROM (SELECT 1 ${sql} LIMIT ?)`
  return storage.get(counted, ...values, Number.isFinite(limit) ? limit : -1)!.n as number
}

/** Values for the placeholders of the SQL for it. */
export function edgesOf({ ranges }: Pick<Stretch, 'ranges'>): Buffer[] {
  return ranges.flatMap(({ low, high }) => [low, high])
}
