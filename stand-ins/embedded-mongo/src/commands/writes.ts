import { ObjectId } from 'bson'
import { readFilter } from '../query/filter.ts'
import { type Query, scan } from '../query/scan.ts'
import { readSort } from '../query/sort.ts'
import { readUpdate, updated, upserted } from '../query/update.ts'
import { badValue, CommandError, notImplemented } from '../store/errors.ts'
import type { Stored } from '../store/records.ts'
import type { Doc } from '../store/values.ts'
import { checkFields, type Engine, existing, listOf, namespaceOf } from './command.ts'

/** Runs a write's statements, each of which returns its number of matches. An ordered write stops at an error. */
function eachStatement(body: Doc, name: string, execute: (statement: Doc, index: number) => number): Doc {
  const writeErrors: Doc[] = []
  let n = 0
  for (const [index, statement] of listOf(body, name).entries()) {
    try {
      n += execute(statement, index)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      writeErrors.push({ index, ...error.reply })
      if (body.ordered !== false) break
    }
  }
  return { n, ok: 1, ...(writeErrors.length > 0 && { writeErrors }) }
}

/** Stores one document, with `_id` first; generates a missing `_id`. */
function insertDoc({ catalog, records }: Engine, body: Doc, { _id = new ObjectId(), ...rest }: Doc): Doc {
  if (Array.isArray(_id)) throw new CommandError(53, "The '_id' value cannot be of type array")
  const complete: Doc = { _id, ...rest }
  records.write(catalog.ensure(namespaceOf(body)), undefined, complete)
  return complete
}

/** Collects all matches before the first change, so that a changed document isn't found again. */
function matchesOf(engine: Engine, body: Doc, query: Query): Stored[] {
  const collection = existing(engine, body)
  return collection ? [...scan(engine.storage, collection, query)] : []
}

export function insert(engine: Engine, body: Doc): Doc {
  return eachStatement(body, 'documents', doc => {
    insertDoc(engine, body, doc)
    return 1
  })
}

export function update(engine: Engine, body: Doc): Doc {
  let nModified = 0
  const inserted: Doc[] = []
  const reply = eachStatement(body, 'updates', (statement, index) => {
    checkFields('update.updates', statement, ['q', 'u', 'multi', 'upsert'])
    const [filter, change] = [readFilter(statement.q), readUpdate(statement.u)]
    const found = matchesOf(engine, body, { filter, limit: statement.multi ? Number.POSITIVE_INFINITY : 1 })
    for (const stored of found)
      if (engine.records.write(existing(engine, body)!, stored, updated(change, stored.doc))) nModified += 1
    if (found.length > 0 || !statement.upsert) return found.length
    inserted.push({ index, _id: insertDoc(engine, body, upserted(change, filter))._id })
    return 1
  })
  return { ...reply, nModified, ...(inserted.length > 0 && { upserted: inserted }) }
}

export function remove(engine: Engine, body: Doc): Doc {
  return eachStatement(body, 'deletes', statement => {
    checkFields('delete.deletes', statement, ['q', 'limit'])
    const { q, limit } = statement
    if (limit !== 0 && limit !== 1) throw badValue('The limit field in delete objects must be 0 or 1.')
    const found = matchesOf(engine, body, { filter: readFilter(q), limit: limit || Number.POSITIVE_INFINITY })
    for (const stored of found) engine.records.write(existing(engine, body)!, stored, undefined)
    return found.length
  })
}

/** Finds and changes one document in one transaction, so that only one of several clients claims it. */
export function findAndModify(engine: Engine, body: Doc): Doc {
  if (body.remove) throw notImplemented('removing by findAndModify')
  const [filter, change] = [readFilter(body.query), readUpdate(body.update)]
  const [stored] = matchesOf(engine, body, { filter, sort: readSort(body.sort), limit: 1 })
  let after = stored && updated(change, stored.doc)
  if (stored) engine.records.write(existing(engine, body)!, stored, after)
  else if (body.upsert) after = insertDoc(engine, body, upserted(change, filter))
  return {
    lastErrorObject: {
      n: after ? 1 : 0,
      updatedExisting: stored !== undefined,
      ...(!stored && after && { upserted: after._id }),
    },
    value: (body.new ? after : stored?.doc) ?? null,
    ok: 1,
  }
}
