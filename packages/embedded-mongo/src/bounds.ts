import { isOperators } from './filter.ts'
import { inverted, keyOf, TYPE, textBytes, typeOf } from './keys.ts'
import type { Doc, Value } from './values.ts'

/** A stretch of keys: from `low` (included) to `high` (left out). */
export interface Range {
  low: Buffer
  high: Buffer
  /** It holds one value only. */
  isPoint?: boolean
}

/** One condition on one path. Every match has a key within its ranges; it has no ranges when it bounds nothing. */
export interface Demand {
  path: string
  ranges: Range[] | undefined
  /** Every key within the ranges is of a match. */
  exact: boolean
}

export const EVERYTHING: Range = { low: Buffer.alloc(0), high: Buffer.from([0xff]) }

/** Everything that a matching document fulfils. What stands in no index (`$or`, `$ne`) is a demand without ranges. */
export function demandsOf(filter: Doc): Demand[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key === '$and') return (value as Doc[]).flatMap(demandsOf)
    if (key.startsWith('$')) return [{ path: key, ranges: undefined, exact: false }]
    return Object.entries(value as Doc).flatMap(([operator, operand]) => demandsBy(key, operator, operand))
  })
}

function demandsBy(path: string, operator: string, operand: Value): Demand[] {
  if (operator !== '$elemMatch') return [{ path, ...boundsOf(path, operator, operand) }]
  const inner = operand as Doc
  if (isOperators(inner) && !('$and' in inner || '$or' in inner)) {
    // One element fulfils all of it, so its conditions may be taken together even in an index over arrays.
    const all = Object.entries(inner).map(([name, value]) => boundsOf(path, name, value).ranges)
    const single = all.filter(ranges => ranges?.length === 1) as Range[][]
    return [{ path, ranges: single.length > 0 ? single.reduce(intersect) : undefined, exact: false }]
  }
  const implied = demandsOf(inner).filter(demand => !demand.path.startsWith('$'))
  const whole = { path, ranges: undefined, exact: false }
  return [
    whole,
    ...implied.map(({ path: name, ranges }) => ({ path: `${path}.${name}`, ranges, exact: false })),
  ]
}

type Bounds = Pick<Demand, 'ranges' | 'exact'>

const UNBOUNDED: Bounds = { ranges: undefined, exact: false }

function boundsOf(path: string, operator: string, operand: Value): Bounds {
  if (operator === '$eq') return pointsOf(path, [operand])
  if (operator === '$in') return pointsOf(path, operand as Value[])
  if (operator === '$regex') return prefixOf(operand as RegExp)
  return comparison(operator, operand)
}

/** An array stands in an index by its elements, so an equal array is looked for by its first one. */
function pointsOf(path: string, values: Value[]): Bounds {
  if (values.some(value => value instanceof RegExp))
    return values.length === 1 ? prefixOf(values[0] as RegExp) : UNBOUNDED
  const keys = values.flatMap(value => {
    if (!Array.isArray(value)) return [keyOf(value)]
    return [keyOf(value), value.length > 0 ? keyOf(value[0]) : Buffer.from([TYPE.emptyArray])]
  })
  keys.sort(Buffer.compare)
  const ranges = keys.filter((key, i) => i === 0 || !key.equals(keys[i - 1]!)).map(pointAt)
  // Below an array's elements a missing field stands as null, but is not equal to it.
  const isInexact = (value: Value) =>
    Array.isArray(value) || ((value === null || value === undefined) && path.includes('.'))
  return { ranges, exact: !values.some(isInexact) }
}

function pointAt(key: Buffer): Range {
  return { low: key, high: after(key), isPoint: true }
}

/** Types that are compared in an order that is also the order of their keys. */
const ORDERED: readonly number[] = [TYPE.number, TYPE.string, TYPE.date, TYPE.boolean, TYPE.objectId]

/** An ordering comparison sees only its own type, and no number but NaN itself is compared with NaN. */
function comparison(operator: string, operand: Value): Bounds {
  if (!['$gt', '$gte', '$lt', '$lte'].includes(operator)) return UNBOUNDED
  const type = typeOf(operand)
  if (type === TYPE.array) return UNBOUNDED
  const key = keyOf(operand)
  const exact = ORDERED.includes(type) && !Number.isNaN(operand)
  const start = exact && type === TYPE.number ? after(keyOf(Number.NaN)) : Buffer.from([type])
  const stop = Buffer.from([type + 1])
  const ranges = {
    $gt: { low: after(key), high: stop },
    $gte: { low: key, high: stop },
    $lt: { low: start, high: key },
    $lte: { low: start, high: after(key) },
  }
  return { ranges: [ranges[operator as keyof typeof ranges]], exact }
}

/** `/^foo/` bounds texts by how they begin, and is exactly that when nothing follows. */
function prefixOf({ source, flags }: RegExp): Bounds {
  if (flags.replace('u', '') !== '' || !source.startsWith('^') || source.includes('|')) return UNBOUNDED
  const literal = /^\^((?:[^\\^$.*+?()[\]{}]|\\[^\p{L}\p{N}])*)(.*)$/su.exec(source)
  let [text, rest] = [literal?.[1] ?? '', literal?.[2] ?? '']
  // A quantifier belongs to the character before it.
  if (/^[*?{+]/.test(rest)) text = text.replace(/(\\.|.)$/su, '')
  text = text.replace(/\\(.)/gsu, '$1')
  if (text === '' || !text.isWellFormed()) return UNBOUNDED
  const low = Buffer.concat([Buffer.from([TYPE.string]), textBytes(text)])
  return { ranges: [{ low, high: after(low) }], exact: rest === '' || rest === '.*' }
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
      return Buffer.compare(low, high) < 0
        ? [{ low, high, isPoint: a.isPoint === true || b.isPoint === true }]
        : []
    }),
  )
}

/** The same stretch in an index that is sorted from high to low. */
export function inDirection(range: Range, direction: 1 | -1): Range {
  return direction === 1
    ? range
    : { low: afterAll(inverted(range.high)), high: afterAll(inverted(range.low)) }
}

/** Inverting turns "before `high`" into "after it", so both ends move behind the keys that begin with them. */
function afterAll(key: Buffer): Buffer {
  return key.length === 0 ? EVERYTHING.high : after(key)
}

/** No match of these ranges is null or missing: a sparse index holds them all. */
export function neverNull(ranges: Range[]): boolean {
  const key = Buffer.from([TYPE.null])
  return ranges.every(({ low, high }) => Buffer.compare(key, low) < 0 || Buffer.compare(key, high) >= 0)
}
