import { compareValues } from './compare.ts'
import { badValue } from './errors.ts'
import { emptyArray, inverted, keyOf } from './index-keys.ts'
import { indexTuples } from './paths.ts'
import type { Sort } from './planner.ts'
import { type Doc, isDoc, plainNumber, type Value } from './values.ts'

/** A sort as it came from the client; undefined when there is none. */
export const readSort = (value: Value): Sort | undefined => {
  if (value === undefined || value === null) return undefined
  if (!isDoc(value)) throw badValue('sort must be a document')
  const entries = Object.entries(value).map(([path, direction]) => {
    const number = plainNumber(direction)
    if (number !== 1 && number !== -1)
      throw badValue('$sort key ordering must be 1 (for ascending) or -1 (for descending)')
    return [path, number] as const
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Bytes whose order is the order that was asked for. Of an array the smallest counts, or the largest going down. */
export const sortKey = (doc: Doc, sort: Sort): Buffer =>
  Buffer.concat(
    Object.entries(sort).map(([path, direction]) => {
      const value = extreme(
        indexTuples(doc, [path]).map(([first]) => first),
        direction,
      )
      return direction === 1 ? keyOf(value) : inverted(keyOf(value))
    }),
  )

const extreme = (values: Value[], direction: 1 | -1): Value =>
  values.reduce((best, value) => (compare(value, best) * direction < 0 ? value : best))

const compare = (a: Value, b: Value): number => {
  if (a === emptyArray || b === emptyArray) return Buffer.compare(keyOf(a), keyOf(b))
  return compareValues(a, b)
}

/** Sorts documents; equal ones keep their order. */
export const sortDocs = (docs: Doc[], sort: Sort): Doc[] =>
  docs
    .map(doc => ({ doc, key: sortKey(doc, sort) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ doc }) => doc)
