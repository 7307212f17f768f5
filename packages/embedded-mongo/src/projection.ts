import { badValue, CommandError, notImplemented } from './errors.ts'
import { type Doc, isDoc, isNumeric, isTruthy, type Value } from './values.ts'

interface Shape {
  [name: string]: Shape | true
}

/** Turns a client's projection into a function; undefined when all fields are wanted. */
export function readProjection(projection: Value): ((doc: Doc) => Doc) | undefined {
  if (projection === undefined || projection === null) return undefined
  if (!isDoc(projection)) throw badValue('projection must be a document')
  const names = Object.keys(projection)
  const computed = names.find(path => typeof projection[path] !== 'boolean' && !isNumeric(projection[path]))
  if (computed !== undefined) throw notImplemented(`the computed field '${computed}' of a projection`)
  if (names.length === 0) return undefined
  const fields = names.filter(path => path !== '_id')
  const kept = fields.filter(path => isTruthy(projection[path]))
  const dropped = fields.filter(path => !isTruthy(projection[path]))
  if (kept.length > 0 && dropped.length > 0)
    throw new CommandError(31254, `Cannot do exclusion on field ${dropped[0]} in inclusion projection`)
  const withId = !('_id' in projection) || isTruthy(projection._id)
  if (kept.length === 0 && (dropped.length > 0 || !withId)) {
    const shape = shapeOf(withId ? dropped : [...dropped, '_id'])
    return doc => without(doc, shape) as Doc
  }
  const shape = shapeOf(withId ? [...kept, '_id'] : kept)
  return doc => only(doc, shape) as Doc
}

function shapeOf(paths: string[]): Shape {
  const shape: Shape = {}
  for (const path of paths) {
    const parts = path.split('.')
    const last = parts.pop()!
    if (parts.includes('$') || last === '$') throw notImplemented("the projection '$'")
    let level = shape
    for (const part of parts) {
      const next = level[part]
      if (next === true) throw new CommandError(31249, `Path collision at ${path}`)
      level = level[part] = next ?? {}
    }
    if (level[last] && level[last] !== true) throw new CommandError(31249, `Path collision at ${path}`)
    level[last] = true
  }
  return shape
}

/** Fields come in the document's order, `_id` first where it stands first. */
function only(value: Value, shape: Shape): Value {
  if (Array.isArray(value))
    return value.filter(item => isDoc(item) || Array.isArray(item)).map(item => only(item, shape))
  if (!isDoc(value)) return undefined
  const kept: Doc = {}
  for (const [name, item] of Object.entries(value)) {
    const wanted = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (wanted === undefined) continue
    const part = wanted === true ? item : only(item, wanted)
    if (part !== undefined) kept[name] = part
  }
  return kept
}

function without(value: Value, shape: Shape): Value {
  if (Array.isArray(value)) return value.map(item => without(item, shape))
  if (!isDoc(value)) return value
  const kept: Doc = {}
  for (const [name, item] of Object.entries(value)) {
    const dropped = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (dropped !== true) kept[name] = dropped ? without(item, dropped) : item
  }
  return kept
}
