import { ObjectId } from 'bson'
import { keyOf, typeOrderOf } from './index-keys.ts'
import { isDoc, type Value } from './values.ts'

/** MongoDB's order of any two values; the quick answers first, the key bytes for everything else. */
export const compareValues = (a: Value, b: Value): number => {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (a instanceof Date && b instanceof Date) return compareNumbers(a.getTime(), b.getTime())
  const order = typeOrderOf(a) - typeOrderOf(b)
  return order !== 0 ? order : Buffer.compare(keyOf(a), keyOf(b))
}

/** Equal as MongoDB sees it: 1 equals 1.0 and NumberLong(1), a missing field equals null, order of fields counts. */
export const equalValues = (a: Value, b: Value): boolean => {
  if (a === b) return true
  if (typeof a === 'string' || typeof b === 'string') return typeof a === typeof b ? false : slowEqual(a, b)
  if (a instanceof ObjectId && b instanceof ObjectId) return a.equals(b)
  return slowEqual(a, b)
}

const slowEqual = (a: Value, b: Value) => typeOrderOf(a) === typeOrderOf(b) && compareValues(a, b) === 0

/** The same value in the same representation: what makes an update a change. 1 and 1.0 are alike in JavaScript. */
export const identical = (a: Value, b: Value): boolean => {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => identical(item, b[i]))
  if (isDoc(a) && isDoc(b)) {
    const names = Object.keys(a)
    const others = Object.keys(b)
    return (
      names.length === others.length &&
      names.every((name, i) => name === others[i] && identical(a[name], b[name]))
    )
  }
  return a?.constructor === b?.constructor && equalValues(a, b)
}

const compareNumbers = (a: number, b: number): number => {
  if (a === b) return 0
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1
  if (Number.isNaN(b)) return 1
  return a < b ? -1 : 1
}

/** JavaScript compares UTF-16 units, MongoDB UTF-8 bytes: they differ where a surrogate meets U+E000 and above. */
const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return isSurrogate(x) !== isSurrogate(y) && x >= 0xd800 && y >= 0xd800 ? y - x : x - y
  }
  return a.length - b.length
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
