import { Decimal128, Long } from 'bson'
import { badValue, notImplemented } from '../errors.ts'
import type { Value } from '../values.ts'

const int64Max = 2n ** 63n - 1n
const int64Min = -(2n ** 63n)

/** Sums of whole numbers stay exact up to 64 bits, as in MongoDB; beyond is an error there and here. */
export const add = (a: Value, b: Value): Value =>
  calculate(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  )

export const multiply = (a: Value, b: Value): Value =>
  calculate(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  )

const calculate = (
  a: Value,
  b: Value,
  onNumbers: (x: number, y: number) => number,
  onIntegers: (x: bigint, y: bigint) => bigint,
): Value => {
  if (a instanceof Decimal128 || b instanceof Decimal128) throw notImplemented('arithmetic on Decimal128')
  if (isWhole(a) && isWhole(b)) {
    const result = onIntegers(toBigInt(a), toBigInt(b))
    if (result > int64Max || result < int64Min)
      throw badValue('Failed to apply the operation to the current value: the result does not fit in 64 bits')
    return fromBigInt(result)
  }
  return onNumbers(toNumber(a), toNumber(b))
}

const isWhole = (value: Value) => value instanceof Long || Number.isSafeInteger(value)
const toBigInt = (value: Value) => (value instanceof Long ? value.toBigInt() : BigInt(value as number))
const toNumber = (value: Value) => (value instanceof Long ? value.toNumber() : (value as number))

const fromBigInt = (value: bigint): Value =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
    ? Number(value)
    : Long.fromBigInt(value)
