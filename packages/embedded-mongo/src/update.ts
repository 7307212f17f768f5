import { badValue, CommandError, failedToParse, notImplemented, typeMismatch } from './errors.ts'
import { compileFilter, isOperators, readCondition, readFilter, type Test } from './filter.ts'
import { compareValues, equalValues } from './keys.ts'
import { copyOf, field } from './paths.ts'
import { type Doc, isDoc, type Value } from './values.ts'

/** Makes of the value at a path the one that shall be there; undefined takes the field away. */
type Change = (current: Value, path: string) => Value

export type Update = { path: string; operator: string; change: Change }[]

/** Update operators of MongoDB that are refused as what they are; any other unknown name is a mistake. */
const REFUSED = /^\$(addToSet|bit|currentDate|min|mul|pop|pullAll|rename)$/

/** Checks an update as it came from the client, once for all documents. */
export function readUpdate(update: Value): Update {
  if (Array.isArray(update)) throw notImplemented('an update by an aggregation pipeline')
  if (!isDoc(update)) throw failedToParse('Update argument must be an object')
  const names = Object.keys(update)
  if (!names[0]?.startsWith('$')) throw notImplemented('the replacement of a whole document')
  const changes = names.flatMap(operator => changesOf(operator, update[operator]))
  // MongoDB applies changes, and so adds new fields, in the order of their names.
  changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path } of changes)
    if (changes.filter(other => other.path === path || other.path.startsWith(`${path}.`)).length > 1)
      throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${path}'`)
  return changes
}

function changesOf(operator: string, fields: Value) {
  if (REFUSED.test(operator)) throw notImplemented(`the update operator ${operator}`)
  const make = CHANGES[operator]
  if (!make) throw failedToParse(`Unknown modifier: ${operator}. Expected a valid update modifier`)
  if (!isDoc(fields)) throw failedToParse(`Modifiers operate on fields, but ${operator} has none`)
  return Object.entries(fields).map(([path, operand]) => {
    checkPath(path)
    return { path, operator, change: make(operand) }
  })
}

function checkPath(path: string) {
  const parts = path.split('.')
  if (parts.includes(''))
    throw new CommandError(56, `The update path '${path}' contains an empty field name.`)
  if (parts.includes('__proto__')) throw badValue("the field name '__proto__' is not supported")
  if (parts.slice(1).some(part => part.startsWith('$')))
    throw notImplemented(`the positional operator in the update path '${path}'`)
  if (path.startsWith('$'))
    throw new CommandError(52, `The dollar ($) prefixed field '${path}' is not valid for storage.`)
}

const CHANGES: Record<string, (operand: Value) => Change> = {
  $set: operand => () => copyOf(operand),
  $setOnInsert: operand => () => copyOf(operand),
  $unset: () => () => undefined,
  $max: operand => current =>
    current === undefined || compareValues(operand, current) > 0 ? copyOf(operand) : current,
  $inc: operand => {
    if (typeof operand !== 'number') throw typeMismatch('Cannot increment with non-numeric argument')
    return (current, path) => {
      if (current === undefined) return operand
      if (typeof current !== 'number') throw typeMismatch(`Cannot apply $inc to '${path}': not a number`)
      return current + operand
    }
  },
  $push: operand => {
    const { each, slice } = readPushed(operand)
    return (current, path) => {
      if (current !== undefined && !Array.isArray(current))
        throw badValue(`The field '${path}' must be an array`)
      const longer = [...(current ?? []), ...copyOf(each)]
      if (slice === undefined) return longer
      return slice < 0 ? longer.slice(slice) : longer.slice(0, slice)
    }
  },
  $pull: operand => {
    const isPulled = pullTest(operand)
    return current => {
      if (current !== undefined && !Array.isArray(current))
        throw badValue('Cannot apply $pull to a non-array value')
      return current?.filter(item => !isPulled(item))
    }
  },
}

function readPushed(operand: Value): { each: Value[]; slice?: number } {
  if (!isDoc(operand) || !('$each' in operand)) return { each: [operand] }
  const { $each, $slice, ...others } = operand
  const [other] = Object.keys(others)
  if (other) throw notImplemented(`the clause ${other} of $push`)
  if (!Array.isArray($each)) throw typeMismatch('The argument to $each in $push must be an array')
  if ($slice === undefined) return { each: $each }
  if (!Number.isInteger($slice)) throw badValue('The value for $slice must be an integer value')
  return { each: $each, slice: $slice as number }
}

/** A document pulls the documents that it matches as a filter; operators pull what they accept; else equality. */
function pullTest(operand: Value): Test {
  if (isDoc(operand) && !isOperators(operand)) {
    const test = compileFilter(readFilter(operand))
    return item => isDoc(item) && test(item)
  }
  const test = compileFilter({ item: readCondition(operand) })
  return item => test({ item })
}

/** Returns the updated document; the given one stays as it is. */
export function updated(update: Update, doc: Doc, isInsert = false): Doc {
  const changed = copyOf(doc)
  for (const { path, operator, change } of update)
    if (isInsert || operator !== '$setOnInsert') changeAt(changed, path, change, mayAdd(operator))
  if (doc._id !== undefined && !equalValues(doc._id, changed._id))
    throw new CommandError(66, "the update would modify the immutable field '_id'")
  return changed
}

function mayAdd(operator: string): boolean {
  return operator !== '$unset' && operator !== '$pull'
}

/** Changes what stands at a path; `adds` makes the documents on the way. */
function changeAt(doc: Doc, path: string, change: Change, adds: boolean): void {
  const parts = path.split('.')
  let holder: Value = doc
  for (const [i, part] of parts.entries()) {
    if (!isDoc(holder) && !hasElement(holder, part)) {
      if (!adds) return
      throw new CommandError(28, `Cannot create field '${part}' of '${path}' in a value that is no document`)
    }
    const current: Value = Array.isArray(holder) ? holder[Number(part)] : field(holder, part)
    if (current === undefined && !adds) return
    const next = i < parts.length - 1 ? (current === undefined ? {} : current) : change(current, path)
    // An element can't be taken out without moving the others, so it becomes null.
    if (next !== undefined || Array.isArray(holder)) (holder as Doc)[part] = next ?? null
    else delete (holder as Doc)[part]
    holder = next
  }
}

function hasElement(value: Value, part: string): boolean {
  return Array.isArray(value) && /^\d+$/.test(part) && Object.hasOwn(value, part)
}

/** The document that an upsert inserts: the equalities of the filter, changed by the update; perhaps without an id yet. */
export function upserted(update: Update, filter: Doc): Doc {
  const start: Doc = {}
  for (const [path, value] of equalitiesOf(filter)) changeAt(start, path, () => copyOf(value), true)
  return updated(update, start, true)
}

function equalitiesOf(filter: Doc, found = new Map<string, Value>()): Map<string, Value> {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and') for (const part of value as Doc[]) equalitiesOf(part, found)
    if (key === '$or' && (value as Doc[]).length === 1) equalitiesOf((value as Doc[])[0]!, found)
    if (key.startsWith('$') || !('$eq' in (value as Doc))) continue
    if (found.has(key))
      throw new CommandError(54, `cannot infer query fields to set, path '${key}' is matched twice`)
    found.set(key, (value as Doc).$eq)
  }
  return found
}
