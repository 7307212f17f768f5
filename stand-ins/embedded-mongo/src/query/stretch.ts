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
  /** The direction in which it has the wanted order. */
  order: 'forward' | 'backward' | undefined
  /** No document stands in it twice. */
  isOnce: boolean
  /** At most one document for each range. */
  isUnique: boolean
}

/** $in lists multiply in compound indexes; beyond this the next field is left to the filter. */
const MAX_RANGES = 1_000

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
    isOnce: isOnce && ranges.length <= 1,
    order: sort && isOnce && ranges.length <= 1 ? orderOf(index, pinned, sort) : undefined,
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

/** Keys that a count steps over at once: comparing only the last of them with the end takes a quarter of the time. */
const STRIDE = 1_000

/** Counts its keys, up to the limit. */
export function rowsIn(
  storage: Storage,
  { index, ranges }: Stretch,
  limit = Number.POSITIVE_INFINITY,
): number {
  const keys = `FROM keys_${index.id} WHERE key >= ?`
  const left = `SELECT count(*) AS n FROM (SELECT 1 ${keys} AND key < ? LIMIT ?)`
  // Else several documents may have the same key.
  const isStepped = index.paths.at(-1) === '_id'
  function countIn({ low, high }: Range, most: number): number {
    let [rows, from] = [0, low as Uint8Array]
    while (isStepped && rows + STRIDE <= most) {
      const next = storage.get(`SELECT key ${keys} ORDER BY key LIMIT 1 OFFSET ${STRIDE}`, from)
      const key = next?.key as Uint8Array | undefined
      if (!key || Buffer.compare(key, high) >= 0) break
      rows += STRIDE
      from = key
    }
    return rows + (storage.get(left, from, high, Number.isFinite(most) ? most - rows : -1)!.n as number)
  }
  return ranges.reduce((rows, range) => rows + countIn(range, limit - rows), 0)
}

/** Values for the placeholders of the SQL for it. */
export function edgesOf({ ranges }: Pick<Stretch, 'ranges'>): Buffer[] {
  return ranges.flatMap(({ low, high }) => [low, high])
}
