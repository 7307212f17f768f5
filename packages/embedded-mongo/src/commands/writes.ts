import { ObjectId } from 'bson'
import type { Collection } from '../catalog.ts'
import { badValue, CommandError, notImplemented } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { readProjection } from '../projection.ts'
import type { Stored } from '../records.ts'
import { type Query, scan } from '../scan.ts'
import { readSort } from '../sort.ts'
import { readUpdate, type Update, updated, upserted } from '../update.ts'
import { type Doc, encodeStored } from '../values.ts'
import {
  type Command,
  checkStatement,
  collectionName,
  type Engine,
  existing,
  flag,
  listOf,
} from './command.ts'

/**
 * Runs the statements of a write command; after the first error an ordered one stops. What is wrong with a statement
 * is told for that statement; anything else fails the whole command.
 */
function eachStatement(body: Doc, name: string, execute: (statement: Doc, index: number) => void): Doc {
  const writeErrors: Doc[] = []
  for (const [index, statement] of listOf(body, name).entries()) {
    try {
      execute(statement, index)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details })
      if (flag(body, 'ordered', true)) break
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {}
}

/** Checks and stores one document, with `_id` in front and made when it is missing. */
function insertDoc({ records }: Engine, collection: Collection, doc: Doc): Doc {
  const { _id = new ObjectId(), ...rest } = doc
  const complete: Doc = { _id, ...rest }
  if (Array.isArray(_id)) throw new CommandError(53, "The '_id' value cannot be of type array")
  records.insert(collection, complete, encodeStored(complete))
  return complete
}

/** All matches before the first change: a changed document must not come up a second time. */
function matchesOf({ storage }: Engine, collection: Collection | undefined, query: Query): Stored[] {
  return collection ? [...scan(storage, collection, query)] : []
}

/** Changes one stored document; gives what it became, and whether that is anything else than it was. */
function updateStored({ records }: Engine, collection: Collection, stored: Stored, update: Update) {
  const doc = updated(update, stored.doc)
  const bytes = encodeStored(doc)
  const isModified = Buffer.compare(bytes, stored.bytes) !== 0
  if (isModified) records.replace(collection, stored, doc, bytes)
  return { doc, isModified }
}

const insert: Command = {
  kind: 'write',
  fields: ['documents', 'ordered'],
  run: (engine, body, db) => {
    const collection = engine.catalog.ensure(db, collectionName(body))
    let n = 0
    const errors = eachStatement(body, 'documents', doc => {
      insertDoc(engine, collection, doc)
      n += 1
    })
    return { n, ...errors, ok: 1 }
  },
}

const update: Command = {
  kind: 'write',
  fields: ['updates', 'ordered'],
  run: (engine, body, db) => {
    let [n, nModified] = [0, 0]
    const upserts: Doc[] = []
    const errors = eachStatement(body, 'updates', (statement, index) => {
      checkStatement('update.updates', statement, ['q', 'u', 'multi', 'upsert'])
      const [filter, change] = [readFilter(statement.q), readUpdate(statement.u)]
      const isMulti = flag(statement, 'multi')
      const collection = existing(engine, body, db)
      const found = matchesOf(engine, collection, { filter, limit: isMulti ? Number.POSITIVE_INFINITY : 1 })
      for (const stored of found)
        if (updateStored(engine, collection!, stored, change).isModified) nModified += 1
      n += found.length
      if (found.length > 0 || !flag(statement, 'upsert')) return
      const made = engine.catalog.ensure(db, collectionName(body))
      upserts.push({ index, _id: insertDoc(engine, made, upserted(change, filter))._id })
      n += 1
    })
    return { n, nModified, ...(upserts.length > 0 && { upserted: upserts }), ...errors, ok: 1 }
  },
}

const remove: Command = {
  kind: 'write',
  fields: ['deletes', 'ordered'],
  run: (engine, body, db) => {
    let n = 0
    const errors = eachStatement(body, 'deletes', statement => {
      checkStatement('delete.deletes', statement, ['q', 'limit'])
      const { limit } = statement
      if (limit !== 0 && limit !== 1) throw badValue('The limit field in delete objects must be 0 or 1.')
      const collection = existing(engine, body, db)
      const query = { filter: readFilter(statement.q), limit: limit || Number.POSITIVE_INFINITY }
      for (const stored of matchesOf(engine, collection, query)) {
        engine.records.remove(collection!, stored)
        n += 1
      }
    })
    return { n, ...errors, ok: 1 }
  },
}

/** Finds and changes one document inside one transaction, so of many clients that claim it one gets it. */
const findAndModify: Command = {
  kind: 'write',
  fields: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert'],
  run: (engine, body, db) => {
    const project = readProjection(body.fields) ?? ((doc: Doc) => doc)
    const filter = readFilter(body.query)
    const collection = existing(engine, body, db)
    const [stored] = matchesOf(engine, collection, { filter, sort: readSort(body.sort), limit: 1 })
    if (flag(body, 'remove')) throw notImplemented('removing by findAndModify')
    const [isNewWanted, isUpsert] = [flag(body, 'new'), flag(body, 'upsert')]
    const answer = (doc: Doc | undefined, lastErrorObject: Doc) => ({
      lastErrorObject,
      value: doc ? project(doc) : null,
      ok: 1,
    })
    const change = readUpdate(body.update)
    if (stored) {
      const { doc } = updateStored(engine, collection!, stored, change)
      return answer(isNewWanted ? doc : stored.doc, { n: 1, updatedExisting: true })
    }
    if (!isUpsert) return answer(undefined, { n: 0, updatedExisting: false })
    const doc = insertDoc(engine, engine.catalog.ensure(db, collectionName(body)), upserted(change, filter))
    return answer(isNewWanted ? doc : undefined, { n: 1, updatedExisting: false, upserted: doc._id })
  },
}

export const writeCommands: Record<string, Command> = { insert, update, delete: remove, findAndModify }
