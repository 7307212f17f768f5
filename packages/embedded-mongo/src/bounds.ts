import { EMPTY_ARRAY, inverted, keyOf, TYPE, textBytes, typeOf } from './keys.ts'
import { ITSELF } from './paths.ts'
import type { Doc, Value } from './values.ts'

/** A stretch of keys: from `low` (included) to `high` (left out). */
export interface Range {
  low: Buffer
  high: Buffer
  /** It holds one value only. */
  isPoint?: boolean
}

export const EVERYTHING: Range = { low: Buffer.alloc(0), high: Buffer.from([0xff]) }

/** The keys of the values that are equal to one of these. Each document is met once, so no key comes twice. */
export function pointsAt(values: Value[]): Range[] {
  const keys = values.map(keyOf).sort(Buffer.compare)
  return keys.filter((key, i) => i === 0 || !key.equals(keys[i - 1]!)).map(pointAt)
}

function pointAt(key: Buffer): Range {
  return { low: key, high: after(key), isPoint: true }
}

/** The keys of the values that fulfil a comparison, which sees only its own type; NaN is neither above nor below. */
export function comparedWith(operator: string, operand: Value): Range[] {
  const [key, type] = [keyOf(operand), typeOf(operand)]
  if (Number.isNaN(operand)) return operator.endsWith('e') ? [pointAt(key)] : []
  const start = type === TYPE.number ? after(keyOf(Number.NaN)) : Buffer.from([type])
  const low = { $gt: after(key), $gte: key }[operator] ?? start
  const high = { $lt: key, $lte: after(key) }[operator] ?? Buffer.from([type + 1])
  return [{ low, high }]
}

export function isWithin(ranges: Range[], value: Value): boolean {
  const key = keyOf(value)
  return ranges.some(({ low, high }) => Buffer.compare(low, key) <= 0 && Buffer.compare(key, high) < 0)
}

/** One condition on one path. */
export interface Demand {
  path: string
  /** Every match has a key within them; undefined when the condition bounds nothing. */
  ranges?: Range[] | undefined
  /** Every key within the ranges is of a match. */
  exact: boolean
}

/** Everything that a matching document fulfils. What stands in no index (`$or`, `$ne`) is a demand without ranges. */
export function demandsOf(filter: Doc): Demand[] {
  return Object.entries(filter).flatMap(([path, value]) => {
    if (path === '$and') return (value as Doc[]).flatMap(demandsOf)
    if (path === '$or') return [{ path, exact: false }]
    return Object.entries(value as Doc).flatMap(([operator, operand]) => demandsBy(path, operator, operand))
  })
}

function demandsBy(path: string, operator: string, operand: Value): Demand[] {
  switch (operator) {
    case '$eq':
      return [equalityWith(path, [operand])]
    case '$in':
      return [equalityWith(path, operand as Value[])]
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte': {
      const ranges = Array.isArray(operand) ? undefined : comparedWith(operator, operand)
      return [{ path, ranges, exact: ranges !== undefined && ORDERED.includes(typeOf(operand)) }]
    }
    case '$elemMatch':
      return [{ path, exact: false }, ...impliedBy(path, operand as Doc)]
    default:
      return [{ path, exact: false }]
  }
}

/** Types whose values stand in an index as nothing else does. */
const ORDERED: readonly number[] = [TYPE.number, TYPE.string, TYPE.date, TYPE.boolean, TYPE.objectId]

function equalityWith(path: string, values: Value[]): Demand {
  const [first] = values
  if (first instanceof RegExp && values.length === 1) return { path, ...beginningOf(first) }
  if (values.some(value => value instanceof RegExp)) return { path, exact: false }
  // An array stands in an index by its elements, so an equal array is looked for by its first one.
  const elements = values.filter(Array.isArray).map(array => (array.length > 0 ? array[0] : EMPTY_ARRAY))
  // Below an array's elements a missing field stands as null, but is not equal to it.
  const isInexact = path.includes('.') && values.some(value => typeOf(value) === TYPE.null)
  return { path, ranges: pointsAt([...values, ...elements]), exact: elements.length === 0 && !isInexact }
}

/** `/^foo/` bounds texts by how they begin; other patterns bound nothing. */
function beginningOf({ source, flags }: RegExp): Pick<Demand, 'ranges' | 'exact'> {
  const [, text] = /^\^([^\\^$.*+?()[\]{}|]+)$/u.exec(source) ?? []
  if (!text?.isWellFormed() || (flags !== '' && flags !== 'u')) return { exact: false }
  const low = Buffer.concat([Buffer.from([TYPE.string]), textBytes(text)])
  return { ranges: [{ low, high: after(low) }], exact: true }
}

/** Some element fulfils each of them, though not every such element fulfils all. */
function impliedBy(path: string, elementFilter: Doc): Demand[] {
  return demandsOf(elementFilter).flatMap(demand => {
    const full = demand.path === ITSELF ? path : `${path}.${demand.path}`
    return demand.ranges ? [{ ...demand, path: full, exact: false }] : []
  })
}

/** The key that follows every key beginning with this one. */
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

/** The same stretch in an index that is sorted from high to low: both ends move behind the keys that begin with them. */
export function inDirection({ low, high }: Range, direction: 1 | -1): Range {
  if (direction === 1) return { low, high }
  return { low: after(inverted(high)), high: after(inverted(low)) }
}
