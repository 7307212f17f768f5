import { failedToParse } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { readProjection } from '../projection.ts'
import { readSort } from '../sort.ts'
import { readUpdate } from '../update/read-update.ts'
import type { Doc } from '../values.ts'
import { type Command, collectionName, type Engine, flag } from './command.ts'
import { checkHint } from './find.ts'
import { matchesOf, updateStored, upsertNew } from './update.ts'

type Outcome = { value: Doc | null; lastErrorObject: Doc }

/** Finds and changes one document inside one transaction, so of many clients that claim it one gets it. */
const execute = (engine: Engine, db: string, name: string, body: Doc): Outcome => {
  const collection = engine.catalog.find(db, name)
  const filter = readFilter(body.query)
  const removing = flag(body, 'remove')
  checkCombination(body, removing)
  checkHint(collection, body.hint)
  const update = removing ? undefined : readUpdate(body.update, body.arrayFilters, false)
  const sort = readSort(body.sort)
  const [stored] = collection ? matchesOf(engine, collection, { filter, sort, limit: 1 }) : []
  if (!update) {
    if (stored) engine.records.remove(collection!, stored)
    return { value: stored?.doc ?? null, lastErrorObject: { n: stored ? 1 : 0 } }
  }
  if (stored) {
    const { doc } = updateStored(engine, collection!, stored, update, filter)
    return { value: flag(body, 'new') ? doc : stored.doc, lastErrorObject: { n: 1, updatedExisting: true } }
  }
  if (!flag(body, 'upsert')) return { value: null, lastErrorObject: { n: 0, updatedExisting: false } }
  const doc = upsertNew(engine, engine.catalog.ensure(db, name), update, filter)
  const lastErrorObject = { n: 1, updatedExisting: false, upserted: doc._id }
  return { value: flag(body, 'new') ? doc : null, lastErrorObject }
}

const checkCombination = (body: Doc, removing: boolean) => {
  if (removing && body.update !== undefined)
    throw failedToParse('Cannot specify both an update and remove=true')
  if (removing && flag(body, 'upsert'))
    throw failedToParse('Cannot specify both upsert=true and remove=true ')
  if (removing && flag(body, 'new'))
    throw failedToParse(
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    )
  if (!removing && body.update === undefined)
    throw failedToParse('Either an update or remove=true must be specified')
}

export const findAndModify: Command = {
  writes: true,
  fields: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'arrayFilters',
    'bypassDocumentValidation',
    'hint',
    'collation',
    'let',
  ],
  run: (engine, body, db) => {
    const name = collectionName(body, 'findAndModify' in body ? 'findAndModify' : 'findandmodify')
    const project = readProjection(body.fields, readFilter(body.query))
    const { value, lastErrorObject } = execute(engine, db, name, body)
    return { lastErrorObject, value: value && project ? project(value) : value, ok: 1 }
  },
}
