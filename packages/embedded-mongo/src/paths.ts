import { CommandError } from './errors.ts'
import { emptyArray } from './index-keys.ts'
import { type Doc, isDoc, type Value } from './values.ts'

const digits = /^(0|[1-9]\d*)$/

export const isArrayIndex = (part: string): boolean => digits.test(part)

/**
 * The values that a dotted path reaches in a document, as MongoDB's queries see them: arrays on the way are entered,
 * a number may be an array's index or a field's name. A field that isn't there gives `undefined`.
 */
export const valuesAt = (doc: Value, path: string): Value[] => {
  if (!path.includes('.')) return [field(doc, path)]
  const found: Value[] = []
  collect(doc, path.split('.'), 0, found)
  return found
}

const collect = (value: Value, parts: readonly string[], at: number, found: Value[]): void => {
  if (at === parts.length) {
    found.push(value)
    return
  }
  const part = parts[at]!
  if (Array.isArray(value)) {
    if (isArrayIndex(part) && Number(part) < value.length) collect(value[Number(part)], parts, at + 1, found)
    for (const item of value) if (isDoc(item)) collect(item, parts, at, found)
    return
  }
  collect(field(value, part), parts, at + 1, found)
}

/** An own field of a document, else undefined. */
export const field = (value: Value, name: string): Value =>
  isDoc(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** What stands at the end of a dotted path through documents only; arrays on the way are not entered. */
export const fieldAt = (doc: Doc, path: string): Value => path.split('.').reduce<Value>(field, doc)

type Branch = { value: Value; rest: readonly string[] }

/**
 * The tuples of values under which a document stands in an index over `paths`: one tuple, or one for each element
 * where a path meets an array (`emptyArray` for an empty one, `undefined` for a missing field).
 * Two paths through two different arrays are refused as in MongoDB (CannotIndexParallelArrays).
 */
export const indexTuples = (doc: Doc, paths: readonly string[]): Value[][] =>
  expand(paths.map(path => ({ value: doc, rest: path.split('.') })))

const expand = (branches: readonly Branch[]): Value[][] => {
  const walked = branches.map(walk)
  const arrays = walked.filter(isUnexpanded)
  if (arrays.length === 0) return [walked.map(branch => branch.value)]
  const array = arrays[0]!.value as Value[]
  if (arrays.some(branch => branch.value !== array)) throw parallelArrays()
  const elements = array.length > 0 ? array : [undefined]
  return elements.flatMap(element =>
    expand(
      walked.map(branch => (isUnexpanded(branch) ? enter(branch, element, array.length === 0) : branch)),
    ),
  )
}

const enter = ({ rest }: Branch, element: Value, empty: boolean): Branch => {
  if (rest.length === 0) return done(empty ? emptyArray : element)
  return isDoc(element) ? { value: element, rest } : done(undefined)
}

/** A finished branch keeps an array as a value: only the outermost array of a path is taken apart. */
type Finished = Branch & { finished?: true }
const done = (value: Value): Finished => ({ value, rest: [], finished: true })

const isUnexpanded = (branch: Finished) => Array.isArray(branch.value) && !branch.finished

const walk = (branch: Finished): Finished => {
  let { value, rest } = branch
  if (branch.finished) return branch
  while (rest.length > 0) {
    const part = rest[0]!
    if (Array.isArray(value)) {
      if (!isArrayIndex(part) || Number(part) >= value.length) return { value, rest }
      value = value[Number(part)]
    } else value = field(value, part)
    rest = rest.slice(1)
  }
  return { value, rest }
}

const parallelArrays = () => new CommandError(171, 'cannot index parallel arrays')

/** A copy of documents and arrays; dates and BSON's own values are never changed, so they are shared. */
export const copyOf = <T extends Value>(value: T): T => {
  if (Array.isArray(value)) return value.map(copyOf) as T
  if (isDoc(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copyOf(v)])) as T
  return value
}
