import { notImplemented } from '../store/errors.ts'
import { EMPTY_ARRAY, inverted, keyOf, TYPE, textBytes, typeOf } from '../store/keys.ts'
import { ITSELF } from '../store/paths.ts'
import type { Doc, Value } from '../store/values.ts'

/** A range of keys from `low` (included) to `high` (excluded). */
export interface Range {
  low: Buffer
  high: Buffer
  isPoint?: boolean
}

export const EVERYTHING: Range = { low: Buffer.alloc(0), high: Buffer.from([0xff]) }

/** Returns the keys that an operator matches; for `$ne` and `$nin`, those that it excludes. */
export function rangesOf(operator: string, operand: Value): Range[] {
  if (operator === '$in' || operator === '$nin') return pointsAt(operand as Value[])
  if (operator === '$eq' || operator === '$ne') return pointsAt([operand])
  return [operator === '$begins' ? beginningWith(operand as string) : comparedWith(operator, operand)]
}

/** Returns the keys of these values without repeats, so that each document is found once. */
function pointsAt(values: Value[]): Range[] {
  const keys = values.map(keyOf).sort(Buffer.compare)
  return keys.filter((key, i) => i === 0 || !key.equals(keys[i - 1]!)).map(pointAt)
}

function pointAt(key: Buffer): Range {
  return { low: key, high: after(key), isPoint: true }
}

function beginningWith(text: string): Range {
  const low = Buffer.concat([Buffer.from([TYPE.string]), textBytes(text)])
  return { low, high: after(low) }
}

/** A comparison only matches values of its own type; NaN is neither above nor below. */
function comparedWith(operator: string, operand: Value): Range {
  const [key, type] = [keyOf(operand), typeOf(operand)]
  if (type === TYPE.object || type === TYPE.array) throw notImplemented('an order of documents or arrays')
  if (Number.isNaN(operand)) return operator.endsWith('e') ? pointAt(key) : { low: key, high: key }
  const start = type === TYPE.number ? after(keyOf(Number.NaN)) : Buffer.from([type])
  const low = { $gt: after(key), $gte: key }[operator] ?? start
  const high = { $lt: key, $lte: after(key) }[operator] ?? Buffer.from([type + 1])
  return { low, high }
}

/** Whether a value's key is in one of these ranges, which are sorted and disjoint. */
export function isWithin(ranges: Range[], value: Value): boolean {
  const key = keyOf(value)
  let [from, to] = [0, ranges.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (Buffer.compare(ranges[middle]!.low, key) <= 0) from = middle + 1
    else to = middle
  }
  const nearest = ranges[from - 1]
  return nearest !== undefined && Buffer.compare(key, nearest.high) < 0
}

export interface Condition {
  path: string
  /** Ranges in which every match has a key; undefined if the condition doesn't limit the keys. */
  ranges?: Range[] | undefined
  /** Whether every key in the ranges belongs to a match. */
  exact: boolean
}

/** Returns the conditions of a filter. Those that no index can answer (`$or`, `$ne`) have no ranges. */
export function conditionsOf(filter: Doc): Condition[] {
  return Object.entries(filter).flatMap(([path, value]) => {
    if (path === '$and') return (value as Doc[]).flatMap(conditionsOf)
    if (path === '$or') return [{ path, exact: false }]
    return Object.entries(value as Doc).flatMap(([operator, operand]) =>
      conditionsBy(path, operator, operand),
    )
  })
}

function conditionsBy(path: string, operator: string, operand: Value): Condition[] {
  if (operator === '$ne' || operator === '$nin') return [{ path, exact: false }]
  if (operator === '$elemMatch') return [{ path, exact: false }, ...impliedBy(path, operand as Doc)]
  if (operator === '$eq') return [equalityWith(path, [operand])]
  if (operator === '$in') return [equalityWith(path, operand as Value[])]
  return [{ path, ranges: rangesOf(operator, operand), exact: typeOf(operand) !== TYPE.null }]
}

function equalityWith(path: string, values: Value[]): Condition {
  // An index contains an array's elements, so an equal array is looked up by its first one.
  const elements = values.filter(Array.isArray).map(array => (array.length > 0 ? array[0] : EMPTY_ARRAY))
  // Below array elements, a missing field is indexed as null, but isn't equal to null.
  const isInexact = path.includes('.') && values.some(value => typeOf(value) === TYPE.null)
  return { path, ranges: pointsAt([...values, ...elements]), exact: elements.length === 0 && !isInexact }
}

/** Some element fulfills each of these conditions, but an element that fulfills one needn't fulfill all. */
function impliedBy(path: string, elementFilter: Doc): Condition[] {
  return conditionsOf(elementFilter).flatMap(condition => {
    const full = condition.path === ITSELF ? path : `${path}.${condition.path}`
    return condition.ranges ? [{ ...condition, path: full, exact: false }] : []
  })
}

/** Returns the key that follows all keys beginning with this one. */
export function after(key: Buffer): Buffer {
  for (let i = key.length - 1; i >= 0; i--) {
    if (key[i] === 0xff) continue
    const next = Buffer.from(key.subarray(0, i + 1))
    next[i] = next[i]! + 1
    return next
  }
  return EVERYTHING.high
}

export function intersect(some: Range[], others: Range[]): Range[] {
  return some.flatMap(a =>
    others.flatMap(b => {
      const low = Buffer.compare(a.low, b.low) > 0 ? a.low : b.low
      const high = Buffer.compare(a.high, b.high) < 0 ? a.high : b.high
      const isPoint = a.isPoint === true || b.isPoint === true
      return Buffer.compare(low, high) < 0 ? [{ low, high, isPoint }] : []
    }),
  )
}

/** Puts a prefix before a range. In descending order, both ends move behind the keys that begin with them. */
export function inDirection({ low, high }: Range, direction: 1 | -1, prefix: Buffer): Range {
  const ends = direction === 1 ? [low, high] : [after(inverted(high)), after(inverted(low))]
  const [from, to] = ends.map(end => Buffer.concat([prefix, end]))
  return { low: from!, high: to! }
}
