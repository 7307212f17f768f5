import {
  after,
  type Demands,
  demandsOf,
  everything,
  inDirection,
  isPoint,
  type Range,
  rangesFor,
} from './bounds.ts'
import type { Collection, Index } from './catalog.ts'
import { identical } from './compare.ts'
import { inverted, typeOrder } from './index-keys.ts'
import type { Doc } from './values.ts'

/** Which index to read and where. It may find too much (the filter is asked again), never too little. */
export type Plan = {
  index: Index
  ranges: Range[]
  /** Read from the end to the beginning. */
  reverse: boolean
  /** What is read comes in the order that was asked for. */
  sorted: boolean
}

export type Sort = Record<string, 1 | -1>

/** $in lists multiply in compound indexes; beyond this the next field is left to the filter. */
const maxRanges = 1_000

/** The best index for a filter and an order; undefined when reading the whole collection is as good. */
export const planFor = ({ indexes }: Collection, filter: Doc, sort: Sort | undefined): Plan | undefined => {
  const demands = demandsOf(filter)
  let best: { plan: Plan; score: number } | undefined
  for (const index of indexes) {
    if (!isComplete(index, filter, demands)) continue
    const rated = rate(index, demands, sort)
    if (rated.score > (best?.score ?? 0)) best = rated
  }
  return best?.plan
}

const rate = (index: Index, demands: Demands, sort: Sort | undefined) => {
  const { ranges, equalities, narrowed, pinned } = rangesOf(index, demands)
  const order = sort && !index.multikey && ranges.length <= 1 ? orderOf(index, pinned, sort) : undefined
  const wholeKey = index.unique && equalities === index.paths.length
  const score =
    (wholeKey ? 1_000 : 0) +
    equalities * 10 +
    (narrowed ? 5 : 0) +
    (order ? 3 : 0) +
    (index.partial || index.sparse ? 1 : 0)
  return { plan: { index, ranges, reverse: order === 'backward', sorted: order !== undefined }, score }
}

const rangesOf = (index: Index, demands: Demands) => {
  let prefixes: Buffer[] = [Buffer.alloc(0)]
  const pinned = new Set<string>()
  const usable = index.multikey && sharePrefix(index.paths) ? index.paths.slice(0, 1) : index.paths
  let equalities = 0
  for (const [i, path] of usable.entries()) {
    const direction = index.directions[i]!
    const found = rangesFor(demands.get(path) ?? [], index.multikey)
    if (!found || found.length * prefixes.length > maxRanges) break
    if (!found.every(isPoint)) {
      const ranges = prefixes.flatMap(prefix =>
        found.map(range => within(prefix, inDirection(range, direction))),
      )
      return { ranges, equalities, narrowed: true, pinned }
    }
    const keys = found.map(({ low }) => (direction === -1 ? inverted(low) : low))
    prefixes = prefixes.flatMap(prefix => keys.map(key => Buffer.concat([prefix, key])))
    equalities += 1
    if (found.length === 1) pinned.add(path)
  }
  const ranges = equalities === 0 ? [everything] : prefixes.map(low => ({ low, high: after(low) }))
  return { ranges, equalities, narrowed: false, pinned }
}

const within = (prefix: Buffer, { low, high }: Range): Range => ({
  low: Buffer.concat([prefix, low]),
  high: Buffer.concat([prefix, high]),
})

/** In an index over `a.b` and `a.c` one document's keys pair what stands in the same element of `a`. */
const sharePrefix = (paths: string[]) => new Set(paths.map(path => path.split('.')[0])).size < paths.length

/** Fields that the filter pins to one value don't take part in the order. */
const orderOf = (index: Index, pinned: Set<string>, sort: Sort): 'forward' | 'backward' | undefined => {
  const wanted = Object.entries(sort).filter(([path]) => !pinned.has(path))
  const offered = index.paths
    .map((path, i) => ({ path, direction: index.directions[i]! }))
    .filter(({ path }) => !pinned.has(path))
  const agree = (sign: number) =>
    wanted.every(
      ([path, direction], i) => offered[i]?.path === path && offered[i].direction === direction * sign,
    )
  if (agree(1)) return 'forward'
  return agree(-1) ? 'backward' : undefined
}

/** Whether every match stands in the index: sparse and partial ones leave documents out. */
const isComplete = (index: Index, filter: Doc, demands: Demands): boolean => {
  if (index.partial && !implies(filter, demands, index.partial)) return false
  return !index.sparse || index.paths.some(path => demandsPresence(demands.get(path) ?? []))
}

const demandsPresence = (conditions: Doc[]): boolean =>
  conditions.some(condition => condition.$exists === true) || neverNull(rangesFor(conditions, true))

const neverNull = (ranges: Range[] | undefined): boolean =>
  ranges?.every(({ low, high }) => {
    const nullKey = Buffer.from([typeOrder.null])
    return Buffer.compare(nullKey, low) < 0 || Buffer.compare(nullKey, high) >= 0
  }) ?? false

/** The filter says all that the index's own filter says, in the same words, or demands a value where that says $exists. */
const implies = (filter: Doc, demands: Demands, partial: Doc): boolean =>
  Object.entries(partial).every(([path, condition]) => {
    if (path.startsWith('$')) return identical(filter[path], condition)
    const conditions = demands.get(path) ?? []
    return Object.entries(condition as Doc).every(([operator, operand]) =>
      operator === '$exists' && operand === true
        ? demandsPresence(conditions)
        : conditions.some(own => operator in own && identical(own[operator], operand)),
    )
  })
