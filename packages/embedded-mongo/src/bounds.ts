import { isOperators } from './filter.ts'
import { inverted, keyOf, typeOrder, typeOrderOf } from './index-keys.ts'
import { type Doc, isDoc, type Value } from './values.ts'

/** A stretch of keys: from `low` (included) to `high` (left out). */
export type Range = { low: Buffer; high: Buffer }

export const everything: Range = { low: Buffer.alloc(0), high: Buffer.from([0xff]) }

/** What a filter demands of one path, in conditions that must all hold. */
export type Demands = Map<string, Doc[]>

/** The conditions that every matching document fulfils: the filter's own fields, and those within $and. */
export const demandsOf = (filter: Doc, demands: Demands = new Map()): Demands => {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and') for (const part of value as Doc[]) demandsOf(part, demands)
    else if (!key.startsWith('$')) addDemand(demands, key, value as Doc)
  }
  return demands
}

const addDemand = (demands: Demands, path: string, condition: Doc) => {
  demands.set(path, [...(demands.get(path) ?? []), condition])
  const inner = condition.$elemMatch
  if (isDoc(inner) && !isOperators(inner))
    for (const [key, value] of Object.entries(inner))
      if (!key.startsWith('$')) addDemand(demands, `${path}.${key}`, value as Doc)
}

/** The key that follows every key beginning with this one. */
export const after = (key: Buffer): Buffer => {
  const next = Buffer.from(key)
  for (let i = next.length - 1; i >= 0; i--) {
    if (next[i] !== 0xff) {
      next[i] = next[i]! + 1
      return next.subarray(0, i + 1)
    }
  }
  return everything.high
}

const pointAt = (key: Buffer): Range => ({ low: key, high: after(key) })

/** An array stands in an index by its elements, so an equal array is looked for by its first one. */
const pointsOf = (value: Value): Range[] => {
  if (!Array.isArray(value)) return [pointAt(keyOf(value))]
  const first = value.length > 0 ? keyOf(value[0]) : Buffer.from([typeOrder.emptyArray])
  return [pointAt(keyOf(value)), pointAt(first)]
}

/** An ordering comparison sees only its own type; a null is also a missing field. */
const comparison = (operator: string, operand: Value): Range | undefined => {
  const type = typeOrderOf(operand)
  if (type === typeOrder.array) return undefined
  const key = keyOf(operand)
  const start = Buffer.from([type])
  const stop = Buffer.from([type + 1])
  if (operator === '$gt') return { low: after(key), high: stop }
  if (operator === '$gte') return { low: key, high: stop }
  if (operator === '$lt') return { low: start, high: key }
  if (operator === '$lte') return { low: start, high: after(key) }
  return undefined
}

const rangesOfOperator = (operator: string, operand: Value): Range[] | undefined => {
  if (operator === '$eq') return pointsOf(operand)
  if (operator === '$in') {
    const values = operand as Value[]
    return values.some(value => value instanceof RegExp) ? undefined : disjoint(values.flatMap(pointsOf))
  }
  const range = comparison(operator, operand)
  return range && [range]
}

/**
 * The stretches of an ascending index in which all matches of these conditions lie; undefined when they give none.
 * With `oneOnly` (an index over arrays) different elements may fulfil different conditions, so only one may be used.
 */
export const rangesFor = (conditions: readonly Doc[], oneOnly: boolean): Range[] | undefined => {
  const all = conditions
    .flatMap(condition => Object.entries(condition))
    .map(([operator, operand]) => rangesOfOperator(operator, operand))
    .filter(ranges => ranges !== undefined)
  if (all.length === 0) return undefined
  const narrowest = all.toSorted((a, b) => width(a) - width(b))
  return oneOnly ? narrowest[0] : all.reduce(intersect)
}

/** Points are narrower than stretches. */
const width = (ranges: Range[]) => (ranges.every(isPoint) ? ranges.length : Number.MAX_SAFE_INTEGER)

/** A stretch that holds one value only. */
export const isPoint = ({ low, high }: Range): boolean =>
  (low.length > 1 || valueless.has(low[0])) && after(low).equals(high)

/** Types with a single value, whose keys are the type's byte alone. */
const valueless = new Set<number | undefined>([
  typeOrder.null,
  typeOrder.emptyArray,
  typeOrder.minKey,
  typeOrder.maxKey,
])

const intersect = (some: Range[], others: Range[]): Range[] =>
  some.flatMap(a =>
    others.flatMap(b => {
      const low = Buffer.compare(a.low, b.low) > 0 ? a.low : b.low
      const high = Buffer.compare(a.high, b.high) < 0 ? a.high : b.high
      return Buffer.compare(low, high) < 0 ? [{ low, high }] : []
    }),
  )

const disjoint = (ranges: Range[]): Range[] => {
  const sorted = ranges.toSorted((a, b) => Buffer.compare(a.low, b.low))
  return sorted.filter((range, i) => i === 0 || !range.low.equals(sorted[i - 1]!.low))
}

/** The same stretch in an index that is sorted from high to low. */
export const inDirection = (range: Range, direction: 1 | -1): Range =>
  direction === 1 ? range : { low: afterAll(inverted(range.high)), high: afterAll(inverted(range.low)) }

/** Inverting turns "before `high`" into "after it", so both ends move behind the keys that begin with them. */
const afterAll = (key: Buffer): Buffer => (key.length === 0 ? everything.high : after(key))
