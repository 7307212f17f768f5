import { CommandError } from './errors.ts'
import { EMPTY_ARRAY } from './keys.ts'
import { type Doc, isDoc, type Value } from './values.ts'

export function field(value: Value, name: string): Value {
  return isDoc(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Path of a value itself: `$elemMatch: { $gt: 5 }` is parsed as a filter on this path. */
export const ITSELF = ''

/** Returns the values at a dotted path, including those inside arrays on the way; `undefined` for a missing field. */
export function valuesAt(doc: Value, path: string): Value[] {
  if (path === ITSELF) return [doc]
  const [first = '', ...rest] = path.split('.')
  let values = [field(doc, first)]
  for (const part of rest)
    values = values.flatMap(value =>
      Array.isArray(value) ? value.filter(isDoc).map(item => field(item, part)) : [field(value, part)],
    )
  return values
}

/** Returns a document's entries in an index: one, or one per element if a path leads to an array. */
export function indexTuples(doc: Doc, paths: readonly string[]): Value[][] {
  let spread: string | undefined
  const elements = (value: Value, path: string): Value[] => {
    if (!Array.isArray(value)) return [value]
    if (spread !== undefined && spread !== path) throw new CommandError(171, 'cannot index parallel arrays')
    spread = path
    return value.length > 0 ? value : [EMPTY_ARRAY]
  }
  let tuples: Value[][] = [[]]
  for (const path of paths) {
    let values: Value[] = [doc]
    for (const part of path.split('.'))
      values = values.flatMap(value => elements(value, path)).map(value => field(value, part))
    const leaves = values.flatMap(value => elements(value, path))
    tuples = tuples.flatMap(tuple => leaves.map(value => [...tuple, value]))
  }
  return tuples
}
