import { badValue } from '../store/errors.ts'
import { inverted, keyOf } from '../store/keys.ts'
import { indexTuples } from '../store/paths.ts'
import { type Doc, isDoc, type Value } from '../store/values.ts'

export type Sort = Record<string, 1 | -1>

/** Parses a client's sort; undefined if there is none. */
export function readSort(value: Value = {}): Sort | undefined {
  if (!isDoc(value) || !Object.values(value).every(direction => direction === 1 || direction === -1))
    throw badValue('a sort has fields with 1 (for ascending) or -1 (for descending)')
  return Object.keys(value).length === 0 ? undefined : (value as Sort)
}

/** Encodes a document's sort values. An array counts with its smallest value, or its largest in descending order. */
export function sortKey(doc: Doc, sort: Sort): Buffer {
  return Buffer.concat(
    Object.entries(sort).map(([path, direction]) => {
      const keys = indexTuples(doc, [path]).map(([value]) => keyOf(value))
      const extreme = keys.reduce((best, key) => (Buffer.compare(key, best) * direction < 0 ? key : best))
      return direction === 1 ? extreme : inverted(extreme)
    }),
  )
}
