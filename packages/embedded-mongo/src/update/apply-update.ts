import { identical } from '../compare.ts'
import { CommandError } from '../errors.ts'
import { copyOf } from '../paths.ts'
import type { Doc, Value } from '../values.ts'
import { concretePaths, locate } from './locate.ts'
import { operators } from './operators.ts'
import type { Update } from './read-update.ts'

/** What a document becomes; the document itself stays as it is. `filter` is what found it, for the positional `$`. */
export const updated = (update: Update, doc: Doc, filter: Doc, inserting = false): Doc => {
  const changed =
    'replacement' in update ? replaced(update.replacement, doc) : changedBy(update, doc, filter, inserting)
  if (!inserting && !identical(doc._id, changed._id)) throw immutableId('replacement' in update)
  return changed
}

const replaced = (replacement: Doc, doc: Doc): Doc => {
  const id = '_id' in replacement ? replacement._id : doc._id
  return id === undefined ? { ...replacement } : { _id: id, ...replacement }
}

const changedBy = (
  update: Extract<Update, { changes: unknown }>,
  doc: Doc,
  filter: Doc,
  inserting: boolean,
): Doc => {
  const changed = copyOf(doc)
  const now = new Date()
  for (const { operator, path, operand } of update.changes)
    for (const concrete of concretePaths(changed, path, { filter, arrayFilters: update.arrayFilters }))
      operators[operator]!({ doc: changed, path: concrete, operand, inserting, now })
  return changed
}

const immutableId = (replacing: boolean) =>
  new CommandError(
    66,
    replacing
      ? "After applying the update, the (immutable) field '_id' was found to have been altered"
      : "Performing an update on the path '_id' would modify the immutable field '_id'",
  )

/** The document that an upsert inserts: the equalities of the filter, changed by the update; perhaps without an id yet. */
export const upserted = (update: Update, filter: Doc): Doc => {
  const equalities = equalitiesOf(filter)
  const start: Doc = {}
  if ('replacement' in update) {
    if (equalities.has('_id')) start._id = equalities.get('_id')
  } else for (const [path, value] of equalities) locate(start, path, true)!.set(copyOf(value))
  const doc = updated(update, start, filter, true)
  if (start._id !== undefined && !identical(start._id, doc._id)) throw immutableId('replacement' in update)
  return doc
}

const equalitiesOf = (filter: Doc, found = new Map<string, Value>()): Map<string, Value> => {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and') for (const part of value as Doc[]) equalitiesOf(part, found)
    if (key === '$or' && (value as Doc[]).length === 1) equalitiesOf((value as Doc[])[0]!, found)
    if (key.startsWith('$')) continue
    const equality = equalityOf(value as Doc)
    if (!equality) continue
    if (found.has(key))
      throw new CommandError(54, `cannot infer query fields to set, path '${key}' is matched twice`)
    found.set(key, equality.value)
  }
  return found
}

const equalityOf = (condition: Doc): { value: Value } | undefined => {
  if ('$eq' in condition) return { value: condition.$eq }
  const list = condition.$in ?? condition.$all
  return Array.isArray(list) && list.length === 1 && !(list[0] instanceof RegExp)
    ? { value: list[0] }
    : undefined
}
