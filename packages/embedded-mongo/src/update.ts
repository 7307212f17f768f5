import { BSONRegExp, Long } from 'bson'
import { badValue, CommandError, failedToParse, notImplemented, typeMismatch } from './errors.ts'
import { compileFilter, isOperators, readCondition, readFilter, type Test } from './filter.ts'
import { compareValues, equalValues, identical } from './keys.ts'
import { copyOf, field, isArrayIndex } from './paths.ts'
import { type Doc, isDoc, isNumeric, plainNumber, typeName, type Value } from './values.ts'

/** Makes of the value at a path the one that shall be there; undefined takes the field away. */
type Change = (current: Value, path: string) => Value

export type Update = { replacement: Doc } | { changes: { path: string; operator: string; change: Change }[] }

/** Update operators of MongoDB that are refused as what they are; any other unknown name is a mistake. */
const REFUSED = /^\$(addToSet|bit|currentDate|min|mul|pop|pullAll|rename)$/

/** Checks an update as it came from the client, once for all documents. */
export function readUpdate(update: Value): Update {
  if (Array.isArray(update)) throw notImplemented('an update by an aggregation pipeline')
  if (!isDoc(update)) throw failedToParse('Update argument must be an object')
  const names = Object.keys(update)
  if (!names[0]?.startsWith('$')) {
    const dollar = names.find(name => name.startsWith('$'))
    if (dollar) throw new CommandError(52, `The dollar ($) prefixed field '${dollar}' is not allowed here`)
    return { replacement: update }
  }
  const changes = names.flatMap(operator => changesOf(operator, update[operator]))
  // MongoDB applies changes, and so adds new fields, in the order of their names.
  changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path } of changes)
    if (changes.filter(other => other.path === path || other.path.startsWith(`${path}.`)).length > 1)
      throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${path}'`)
  return { changes }
}

function changesOf(operator: string, fields: Value) {
  if (REFUSED.test(operator)) throw notImplemented(`the update operator ${operator}`)
  const make = CHANGES[operator]
  if (!make) throw failedToParse(`Unknown modifier: ${operator}. Expected a valid update modifier`)
  if (!isDoc(fields))
    throw failedToParse(`Modifiers operate on fields, but ${operator} has ${typeName(fields)}`)
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
    if (!isNumeric(operand)) throw typeMismatch('Cannot increment with non-numeric argument')
    return (current, path) => {
      if (current === undefined) return operand
      if (!isNumeric(current))
        throw typeMismatch(`Cannot apply $inc to '${path}' of non-numeric type ${typeName(current)}`)
      return sum(current, operand)
    }
  },
  $push: operand => {
    const { each, slice } = readPushed(operand)
    return (current, path) => {
      if (current !== undefined && !Array.isArray(current))
        throw badValue(`The field '${path}' must be an array but is of type ${typeName(current)}`)
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
  const slice = plainNumber($slice)
  if (!Number.isInteger(slice)) throw badValue('The value for $slice must be an integer value')
  return { each: $each, slice: slice! }
}

/** A document pulls the documents that it matches as a filter; operators pull what they accept; else equality. */
function pullTest(operand: Value): Test {
  if (isOperators(operand) || operand instanceof BSONRegExp) {
    const test = compileFilter({ item: readCondition(operand) })
    return item => test({ item })
  }
  if (!isDoc(operand)) return item => equalValues(item, operand)
  const test = compileFilter(readFilter(operand))
  return item => isDoc(item) && test(item)
}

/** Sums of whole numbers stay exact up to 64 bits, as in MongoDB; beyond is an error there and here. */
export function sum(a: number | Long, b: number | Long): number | Long {
  const isWhole = (value: number | Long) => value instanceof Long || Number.isSafeInteger(value)
  if (!isWhole(a) || !isWhole(b)) return Number(a) + Number(b)
  const exact = BigInt(a.toString()) + BigInt(b.toString())
  if (exact !== BigInt.asIntN(64, exact)) throw badValue('the sum does not fit in 64 bits')
  const near = Number(exact)
  return Number.isSafeInteger(near) ? near : Long.fromBigInt(exact)
}

/** What a document becomes; the document itself stays as it is. */
export function updated(update: Update, doc: Doc, isInsert = false): Doc {
  const changed = 'replacement' in update ? replaced(update.replacement, doc) : copyOf(doc)
  if ('changes' in update)
    for (const { path, operator, change } of update.changes)
      if (isInsert || operator !== '$setOnInsert') changeAt(changed, path, change, mayAdd(operator))
  if (doc._id !== undefined && !identical(doc._id, changed._id))
    throw new CommandError(66, "the update would modify the immutable field '_id'")
  return changed
}

function mayAdd(operator: string): boolean {
  return operator !== '$unset' && operator !== '$pull'
}

function replaced(replacement: Doc, doc: Doc): Doc {
  const id = '_id' in replacement ? replacement._id : doc._id
  return id === undefined ? { ...replacement } : { _id: id, ...replacement }
}

/** MongoDB's limit on how far `$set` of an index may fill an array up with nulls. */
const MAX_PADDING = 1_500_000

/** Changes what stands at a path; `adds` makes the documents on the way. */
function changeAt(doc: Doc, path: string, change: Change, adds: boolean): void {
  const parts = path.split('.')
  let holder: Value = doc
  for (const [i, part] of parts.entries()) {
    if (!isDoc(holder) && !(Array.isArray(holder) && isArrayIndex(part))) {
      if (!adds) return
      throw new CommandError(28, `Cannot create field '${part}' in an element of type ${typeName(holder)}`)
    }
    const current: Value = Array.isArray(holder) ? holder[Number(part)] : field(holder, part)
    if (current === undefined && !adds) return
    const next = i < parts.length - 1 ? (current ?? (current === null ? null : {})) : change(current, path)
    put(holder, part, next)
    holder = next
  }
}

function put(holder: Doc | Value[], part: string, value: Value): void {
  if (!Array.isArray(holder)) {
    if (value === undefined) delete holder[part]
    else holder[part] = value
    return
  }
  const index = Number(part)
  if (index > holder.length + MAX_PADDING)
    throw badValue(`can't backfill array to larger than ${MAX_PADDING} elements`)
  while (holder.length < index) holder.push(null)
  // An element can't be taken out without moving the others, so it becomes null.
  holder[index] = value ?? null
}

/** The document that an upsert inserts: the equalities of the filter, changed by the update; perhaps without an id yet. */
export function upserted(update: Update, filter: Doc): Doc {
  const equalities = equalitiesOf(filter)
  const start: Doc = {}
  for (const [path, value] of equalities)
    if (!('replacement' in update) || path === '_id') changeAt(start, path, () => copyOf(value), true)
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
