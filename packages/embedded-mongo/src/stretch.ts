import { DOCUMENTS } from './blocks.ts'
import { after, type Demand, EVERYTHING, inDirection, intersect, isWithin, type Range } from './bounds.ts'
import { hasBlocks, type Index, isArrayAt, isAskedByDocument } from './catalog.ts'
import { inverted } from './keys.ts'
import type { Sort } from './sort.ts'
import type { Storage } from './storage.ts'

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

/** Whether a document can be looked for in it at once, however much it holds. */
export const isAsked = ({ index, ranges }: Stretch) => isAskedByDocument(index) && ranges.length === 1

/** SQL for a condition on `o.rec`: it stands in all of these, each of which can be asked. */
export function alsoIn(others: Stretch[]): string {
  const conditions = others.map(
    ({ index: { id } }) =>
      `EXISTS (SELECT 1 FROM keys_${id} INDEXED BY recs_${id} WHERE rec = o.rec AND key >= ? AND key < ?)`,
  )
  return ['1', ...conditions].join(' AND ')
}

/** SQL for the documents of one (perhaps only among its first few) that stand in all others, and its values. */
export function recsIn({ index, ranges, isOnce }: Stretch, others: Stretch[], limit: number, among = -1) {
  const pieces = ranges.map(() => `SELECT rec FROM keys_${index.id} WHERE key >= ? AND key < ?`)
  const from = `SELECT rec FROM (${pieces.join(' UNION ALL ') || 'SELECT 0 AS rec WHERE 0'} LIMIT ${among})`
  const sql = `SELECT ${isOnce ? 'rec' : 'DISTINCT rec'} FROM (${from}) AS o WHERE ${alsoIn(others)} LIMIT ${limit}`
  return [sql, ...[{ ranges }, ...others].flatMap(edgesOf)] as const
}

/** The rows to be read to know all of one, up to the limit. */
export function rowsIn(storage: Storage, { index, ranges }: Stretch, limit: number, table = 'keys'): number {
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${table}_${index.id} WHERE key >= ? AND key < ? LIMIT ?)`
  return ranges.reduce(
    (rows, { low, high }) => rows + (storage.get(sql, low, high, limit - rows)!.n as number),
    0,
  )
}

/** The documents that stand in all of these, up to the limit. */
export function metIn(storage: Storage, all: Stretch[], limit = Number.POSITIVE_INFINITY): number[] {
  /** For each document of a block, in how many of them it stands, as far as it stands in each. */
  const met = new Map<number, Uint16Array>()
  const found: number[] = []
  for (const [before, stretch] of all.entries())
    for (const [block, places] of placesIn(storage, stretch)) {
      const counts = met.get(block) ?? new Uint16Array(DOCUMENTS)
      if (before === 0) met.set(block, counts)
      for (const place of places) {
        if (counts[place - 1] !== before) continue
        counts[place - 1] = before + 1
        if (before + 1 === all.length && found.push(block * DOCUMENTS + place - 1) === limit) return found
      }
    }
  return found
}

/** Gives the places of its documents in their blocks; with several keys a block comes several times. */
function* placesIn(storage: Storage, { index, ranges }: Stretch): Generator<[block: number, Uint8Array]> {
  const within = `${index.id} WHERE key >= ? AND key < ?`
  for (const { low, high } of ranges) {
    if (hasBlocks(index)) {
      const rows = storage.all(`SELECT block, recs FROM blocks_${within}`, low, high)
      for (const { block, recs } of rows) yield [block as number, recs as Uint8Array]
      continue
    }
    const { recs } = storage.get(`SELECT json_group_array(rec) AS recs FROM keys_${within}`, low, high)!
    const place = new Uint8Array(1)
    for (const rec of JSON.parse(recs as string) as number[]) {
      place[0] = (rec % DOCUMENTS) + 1
      yield [Math.floor(rec / DOCUMENTS), place]
    }
  }
}

/** Those of these documents that stand in all others, up to the limit. */
export function alsoMetIn(
  storage: Storage,
  recs: number[],
  others: Stretch[],
  limit = recs.length,
): number[] {
  if (others.length === 0) return recs.slice(0, limit)
  const from = 'SELECT value AS rec FROM json_each(?)'
  const sql = `SELECT rec FROM (${from}) AS o WHERE ${alsoIn(others)} LIMIT ?`
  return [...storage.column(sql, JSON.stringify(recs), ...others.flatMap(edgesOf), limit)]
}

/** Values for the placeholders of the SQL for it. */
export function edgesOf({ ranges }: Pick<Stretch, 'ranges'>): Buffer[] {
  return ranges.flatMap(({ low, high }) => [low, high])
}
