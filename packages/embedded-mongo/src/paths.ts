import { CommandError } from './errors.ts'
import { EMPTY_ARRAY } from './keys.ts'
import { type Doc, isDoc, type Value } from './values.ts'

const DIGITS = /^(0|[1-9]\d*)$/

export function isArrayIndex(part: string): boolean {
  return DIGITS.test(part)
}

/** An own field of a document, else undefined. */
export function field(value: Value, name: string): Value {
  return isDoc(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/**
 * The values that a dotted path reaches in a document, as MongoDB's queries see them: arrays on the way are entered,
 * a number may be an array's index or a field's name. A field that isn't there gives `undefined`.
 */
export function valuesAt(doc: Value, path: string): Value[] {
  if (!path.includes('.')) return [field(doc, path)]
  const found: Value[] = []
  collect(doc, path.split('.'), 0, found)
  return found
}

function collect(value: Value, parts: readonly string[], at: number, found: Value[]): void {
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

/** A path on its way through a document. A finished one keeps an array: only the outermost array is taken apart. */
interface Branch {
  value: Value
  rest: readonly string[]
  finished?: boolean
}

/**
 * The tuples of values under which a document stands in an index over `paths`: one tuple, or one for each element
 * where a path meets an array (`EMPTY_ARRAY` for an empty one, `undefined` for a missing field).
 * Two paths through two different arrays are refused as in MongoDB (CannotIndexParallelArrays).
 */
export function indexTuples(doc: Doc, paths: readonly string[]): Value[][] {
  return expand(paths.map(path => ({ value: doc, rest: path.split('.') })))
}

function expand(branches: readonly Branch[]): Value[][] {
  const walked = branches.map(walk)
  const isOpen = ({ value, finished }: Branch) => Array.isArray(value) && !finished
  const array = walked.find(isOpen)?.value as Value[] | undefined
  if (!array) return [walked.map(({ value }) => value)]
  if (walked.some(branch => isOpen(branch) && branch.value !== array))
    throw new CommandError(171, 'cannot index parallel arrays')
  const elements = array.length > 0 ? array : [undefined]
  return elements.flatMap(element =>
    expand(walked.map(branch => (isOpen(branch) ? enter(branch, element, array.length === 0) : branch))),
  )
}

function enter({ rest }: Branch, element: Value, isEmpty: boolean): Branch {
  if (rest.length === 0) return { value: isEmpty ? EMPTY_ARRAY : element, rest, finished: true }
  return isDoc(element) ? { value: element, rest } : { value: undefined, rest: [], finished: true }
}

function walk(branch: Branch): Branch {
  let { value, rest } = branch
  while (rest.length > 0) {
    const part = rest[0]!
    if (Array.isArray(value)) {
      if (!isArrayIndex(part) || Number(part) >= value.length) return { value, rest }
      value = value[Number(part)]
    } else value = field(value, part)
    rest = rest.slice(1)
  }
  return { ...branch, value, rest }
}

/** A copy of documents and arrays; dates and BSON's own values are never changed, so they are shared. */
export function copyOf<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T
  if (isDoc(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copyOf(v)])) as T
  return value
}
