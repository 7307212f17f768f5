import { badValue, CommandError, notImplemented, typeMismatch } from '../store/errors.ts'
import { compareValues } from '../store/keys.ts'
import { field } from '../store/paths.ts'
import { type Doc, isDoc, type Value } from '../store/values.ts'
import { compileElementFilter, readElementFilter } from './filter.ts'

/** Returns the new value at a path; undefined removes the field. */
type Change = (current: Value, path: string) => Value

export type Update = { path: string; operator: string; change: Change }[]

/** Parses a client's update, once for all documents. */
export function readUpdate(update: Value): Update {
  if (!isDoc(update)) throw notImplemented('an update by an aggregation pipeline')
  if (!Object.keys(update)[0]?.startsWith('$')) throw notImplemented('the replacement of a whole document')
  const changes = Object.entries(update).flatMap(([operator, fields]) => changesOf(operator, fields))
  // MongoDB applies changes, and so adds new fields, in the order of their names.
  changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path } of changes)
    if (changes.filter(other => `${other.path}.`.startsWith(`${path}.`)).length > 1)
      throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${path}'`)
  return changes
}

function changesOf(operator: string, fields: Value): Update {
  const make = CHANGES[operator]
  if (!make || !isDoc(fields)) throw new CommandError(9, `unknown operator: ${operator}`)
  return Object.entries(fields).map(([path, operand]) => {
    if (/(^|\.)(\$|\.|$)/.test(path)) throw notImplemented(`the update path '${path}'`)
    return { path, operator, change: make(operand) }
  })
}

const CHANGES: Record<string, (operand: Value) => Change> = {
  $set: operand => () => operand,
  $setOnInsert: operand => () => operand,
  $unset: () => () => undefined,
  $max: operand => current =>
    current === undefined || compareValues(operand, current) > 0 ? operand : current,
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
    return (current, path) => [...(arrayAt(current, path) ?? []), ...each].slice(slice)
  },
  $pull: operand => {
    const isPulled = compileElementFilter(readElementFilter(operand))
    return (current, path) => arrayAt(current, path)?.filter(item => !isPulled(item))
  },
}

function readPushed(operand: Value): { each: Value[]; slice?: number | undefined } {
  if (!isDoc(operand) || !('$each' in operand)) return { each: [operand] }
  const { $each, $slice, ...others } = operand
  if (Object.keys(others).length > 0) throw notImplemented('$push with more than $each and $slice')
  if (!Array.isArray($each)) throw typeMismatch('The argument to $each in $push must be an array')
  const isOfLast = Number.isInteger($slice) && ($slice as number) < 0
  if ($slice !== undefined && !isOfLast) throw notImplemented('$slice but to keep the last')
  return { each: $each, slice: $slice as number | undefined }
}

function arrayAt(value: Value, path: string): Value[] | undefined {
  if (value === undefined || Array.isArray(value)) return value
  throw badValue(`The field '${path}' must be an array`)
}

/** Returns the updated document; the given one is unchanged. */
export function updated(update: Update, doc: Doc, isInsert = false): Doc {
  let changed: Value = doc
  for (const { path, operator, change } of update)
    if (isInsert || operator !== '$setOnInsert')
      changed = changedAt(changed, path, change, operator !== '$unset' && operator !== '$pull')
  if (doc._id !== undefined && compareValues(doc._id, (changed as Doc)._id) !== 0)
    throw new CommandError(66, "the update would modify the immutable field '_id'")
  return changed as Doc
}

/** Returns a copy with another value at a path; `adds` creates missing documents on the way. */
function changedAt(
  holder: Value,
  path: string,
  change: Change,
  adds: boolean,
  [part = '', ...rest] = path.split('.'),
): Value {
  const isElement = Array.isArray(holder) && /^\d+$/.test(part) && Object.hasOwn(holder, part)
  if (!isDoc(holder) && !isElement) {
    if (!adds) return holder
    throw new CommandError(28, `Cannot create field '${part}' of '${path}' in a value that is no document`)
  }
  const current = isElement ? holder[Number(part)] : field(holder, part)
  if (current === undefined && !adds) return holder
  const next =
    rest.length === 0
      ? change(current, path)
      : changedAt(current === undefined ? {} : current, path, change, adds, rest)
  // Removing an element would move the others, so it becomes null.
  if (isElement) return holder.with(Number(part), next ?? null)
  if (next !== undefined) return { ...holder, [part]: next }
  const { [part]: _, ...others } = holder as Doc
  return others
}

/** Returns the document that an upsert inserts: the filter's equalities, then the update; may lack an id. */
export function upserted(update: Update, filter: Doc): Doc {
  if ('$and' in filter) throw notImplemented('an upsert by $and')
  let start: Value = {}
  for (const [path, condition] of Object.entries(filter))
    if (!path.startsWith('$') && '$eq' in (condition as Doc))
      start = changedAt(start, path, () => (condition as Doc).$eq, true)
  return updated(update, start as Doc, true)
}
