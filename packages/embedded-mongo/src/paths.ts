import { CommandError } from './errors.ts'
import { EMPTY_ARRAY } from './keys.ts'
import { type Doc, isDoc, type Value } from './values.ts'

/** An own field of a document, else undefined. */
export function field(value: Value, name: string): Value {
  return isDoc(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/**
 * The values that a dotted path reaches in a document, as MongoDB's queries see them: arrays on the way are entered. A
 * field that isn't there gives `undefined`.
 */
export function valuesAt(doc: Value, path: string): Value[] {
  let values = [doc]
  for (const part of path.split('.'))
    values = values.flatMap(value =>
      Array.isArray(value) ? value.filter(isDoc).map(item => field(item, part)) : [field(value, part)],
    )
  return values
}

/**
 * The tuples of values under which a document stands in an index over `paths`: one tuple, or one for each element
 * where a path meets an array (`EMPTY_ARRAY` for an empty one, `undefined` for a missing field).
 * Two paths through arrays are refused as in MongoDB (CannotIndexParallelArrays), even through the same one.
 */
export function indexTuples(doc: Doc, paths: readonly string[]): Value[][] {
  const all = paths.map(path => indexedAt(doc, path))
  if (all.filter(({ isSpread }) => isSpread).length > 1)
    throw new CommandError(171, 'cannot index parallel arrays')
  return all.reduce<Value[][]>(
    (tuples, { values }) => tuples.flatMap(tuple => values.map(value => [...tuple, value])),
    [[]],
  )
}

function indexedAt(doc: Doc, path: string): { values: Value[]; isSpread: boolean } {
  let isSpread = false
  const elements = (value: Value): Value[] => {
    if (!Array.isArray(value)) return [value]
    isSpread = true
    return value.length > 0 ? value : [EMPTY_ARRAY]
  }
  let values: Value[] = [doc]
  for (const part of path.split('.')) values = values.flatMap(elements).map(value => field(value, part))
  return { values: values.flatMap(elements), isSpread }
}

/** A copy of documents and arrays; dates and BSON's own values are never changed, so they are shared. */
export function copyOf<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T
  if (isDoc(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copyOf(v)])) as T
  return value
}
