import { badValue, CommandError, notImplemented } from './errors.ts'
import { checkExpression, compileFilter, evaluate } from './expressions.ts'
import { isOperators, readCondition } from './filter.ts'
import { copyOf, field, fieldAt } from './paths.ts'
import { matchedIndex } from './positional.ts'
import { type Doc, isDoc, isNumeric, isTruthy, plainNumber, type Value } from './values.ts'

type Shape = { [name: string]: Shape | true }
type Change = (projected: Doc, original: Doc) => void

/** Turns a client's projection into a function; undefined when all fields are wanted. */
export const readProjection = (projection: Value, filter: Doc): ((doc: Doc) => Doc) | undefined => {
  if (projection === undefined || projection === null) return undefined
  if (!isDoc(projection)) throw badValue('projection must be a document')
  const plain = Object.entries(projection).filter(([, value]) => isFlag(value))
  const computed = Object.entries(projection).filter(([, value]) => !isFlag(value))
  const flags = plain.filter(([path]) => path !== '_id')
  const including = flags.some(([, value]) => isTruthy(value))
  if (flags.length + computed.length + plain.length === 0) return undefined
  if (including && flags.some(([, value]) => !isTruthy(value))) {
    const excluded = flags.find(([, value]) => !isTruthy(value))![0]
    throw new CommandError(31254, `Cannot do exclusion on field ${excluded} in inclusion projection`)
  }
  const changes = computed.map(([path, value]) => readComputed(path, value))
  const idOnly = flags.length === 0 && plain.length > 0 && isTruthy(projection._id)
  const onlyComputed = flags.length === 0 && computed.some(([, value]) => !isSliceOnly(value))
  return including || idOnly || onlyComputed
    ? include(
        shapeOf(flags.map(([path]) => path)),
        !('_id' in projection) || isTruthy(projection._id),
        changes,
        filter,
      )
    : exclude(shapeOf(plain.filter(([, value]) => !isTruthy(value)).map(([path]) => path)), changes)
}

const isFlag = (value: Value) => typeof value === 'boolean' || isNumeric(value)
const isSliceOnly = (value: Value) => isDoc(value) && '$slice' in value

const include = (shape: Shape, withId: boolean, changes: Change[], filter: Doc) => {
  const positional = takePositional(shape)
  const wanted: Shape = withId ? { _id: true, ...shape } : shape
  return (doc: Doc): Doc => {
    const projected = keep(doc, wanted) as Doc
    if (positional) onlyMatch(projected, doc, positional, filter)
    for (const change of changes) change(projected, doc)
    return projected
  }
}

const exclude = (shape: Shape, changes: Change[]) => (doc: Doc) => {
  const projected = without(doc, shape) as Doc
  for (const change of changes) change(projected, doc)
  return projected
}

const shapeOf = (paths: string[]): Shape => {
  const shape: Shape = {}
  for (const path of paths) {
    const parts = path.split('.')
    let level = shape
    for (const part of parts.slice(0, -1)) {
      const next = level[part]
      if (next === true) throw new CommandError(31249, `Path collision at ${path}`)
      level = level[part] = next ?? {}
    }
    const last = parts.at(-1)!
    if (level[last] && level[last] !== true) throw new CommandError(31249, `Path collision at ${path}`)
    level[last] = true
  }
  return shape
}

/** Fields come in the document's order, `_id` first where it stands first. */
const keep = (value: Value, shape: Shape): Value => {
  if (Array.isArray(value))
    return value.filter(item => isDoc(item) || Array.isArray(item)).map(item => keep(item, shape))
  if (!isDoc(value)) return undefined
  const kept: Doc = {}
  for (const [name, item] of Object.entries(value)) {
    const wanted = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (wanted === undefined) continue
    const part = wanted === true ? item : keep(item, wanted)
    if (part !== undefined) kept[name] = part
  }
  return kept
}

const without = (value: Value, shape: Shape): Value => {
  if (Array.isArray(value)) return value.map(item => without(item, shape))
  if (!isDoc(value)) return value
  const kept: Doc = {}
  for (const [name, item] of Object.entries(value)) {
    const dropped = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (dropped !== true) kept[name] = dropped ? without(item, dropped) : item
  }
  return kept
}

const readComputed = (path: string, value: Value): Change => {
  if (!isOperators(value)) return computedBy(path, value)
  const operator = Object.keys(value)[0]!
  if (operator === '$meta') throw notImplemented('the projection $meta')
  if (operator === '$elemMatch') return firstMatch(path, value.$elemMatch)
  if (operator === '$slice' && !isSliceExpression(value.$slice)) return sliceOf(path, value.$slice)
  return computedBy(path, value)
}

const isSliceExpression = (operand: Value) => Array.isArray(operand) && !isNumeric(operand[0])

const computedBy = (path: string, expression: Value): Change => {
  if (path.includes('.')) throw notImplemented('a computed field with a dotted path in a projection')
  checkExpression(expression)
  return (projected, original) => {
    const value = evaluate(original, expression)
    if (value !== undefined) projected[path] = value
  }
}

const firstMatch = (path: string, criteria: Value): Change => {
  const condition = readCondition({ $elemMatch: criteria })
  const test = compileFilter({ items: condition })
  return (projected, original) => {
    delete projected[path]
    const array = field(original, path)
    const match = Array.isArray(array) ? array.find(item => test({ items: [item] })) : undefined
    if (match !== undefined) projected[path] = [match]
  }
}

const sliceOf = (path: string, operand: Value): Change => {
  const [first, second] = (Array.isArray(operand) ? operand : [operand]).map(plainNumber)
  if (first === undefined) throw badValue('$slice needs a number or two')
  return (projected, original) => {
    const array = fieldAt(original, path)
    if (!Array.isArray(array)) return
    setAt(projected, path, slice(array, first, second))
  }
}

const slice = (array: Value[], first: number, count: number | undefined): Value[] => {
  if (count === undefined) return first < 0 ? array.slice(first) : array.slice(0, first)
  const start = first < 0 ? Math.max(0, array.length + first) : first
  return array.slice(start, start + count)
}

const setAt = (doc: Doc, path: string, value: Value) => {
  const parts = path.split('.')
  let level = doc
  for (const part of parts.slice(0, -1)) level = level[part] = isDoc(level[part]) ? { ...level[part] } : {}
  level[parts.at(-1)!] = value
}

/** `{ 'items.$': 1 }`: only the first element that the filter asked for. Takes the `$` out of the shape. */
const takePositional = (shape: Shape): string | undefined => {
  let positional: string | undefined
  for (const [name, inner] of Object.entries(shape)) {
    if (inner === true) continue
    if (inner.$ === true) {
      shape[name] = true
      positional = name
    } else if (takePositional(inner) !== undefined)
      throw notImplemented("the projection '$' below the first level")
  }
  return positional
}

const onlyMatch = (projected: Doc, original: Doc, path: string, filter: Doc) => {
  const array = field(original, path)
  if (!Array.isArray(array)) return
  const index = matchedIndex(original, path, filter)
  if (index === undefined)
    throw new CommandError(
      51246,
      "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
    )
  projected[path] = [copyOf(array[index])]
}
