import type { Collection } from '../catalog.ts'
import { identical } from '../compare.ts'
import { failedToParse } from '../errors.ts'
import { readFilter } from '../filter.ts'
import type { Stored } from '../records.ts'
import { scan } from '../scan.ts'
import { readSort } from '../sort.ts'
import { updated, upserted } from '../update/apply-update.ts'
import { readUpdate, type Update } from '../update/read-update.ts'
import { type Doc, encodeStored } from '../values.ts'
import { type Command, collectionName, type Engine, flag, listOf } from './command.ts'
import { checkHint } from './find.ts'
import { insertDoc } from './insert.ts'
import { checkStatement, eachStatement, withErrors } from './statements.ts'

/** Changes one stored document; answers what it became, and whether that is anything else than it was. */
export const updateStored = (
  { records }: Engine,
  collection: Collection,
  stored: Stored,
  update: Update,
  filter: Doc,
): { doc: Doc; modified: boolean } => {
  const doc = updated(update, stored.doc, filter)
  if (identical(stored.doc, doc)) return { doc, modified: false }
  records.replace(collection, stored, doc, encodeStored(doc))
  return { doc, modified: true }
}

export const upsertNew = (engine: Engine, collection: Collection, update: Update, filter: Doc): Doc =>
  insertDoc(engine, collection, upserted(update, filter))

const statementFields = ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation', 'sort']

type Outcome = { matched: number; modified: number; upsertedId?: { _id: unknown } }

const execute = (engine: Engine, db: string, name: string, statement: Doc): Outcome => {
  const collection = engine.catalog.find(db, name)
  checkStatement('update.updates', statement, statementFields)
  const multi = flag(statement, 'multi')
  const filter = readFilter(statement.q)
  const update = readUpdate(statement.u, statement.arrayFilters, multi)
  const sort = readSort(statement.sort)
  if (sort && multi) throw failedToParse('Cannot specify sort with multi=true')
  checkHint(collection, statement.hint)
  const limit = multi ? Number.POSITIVE_INFINITY : 1
  const outcome: Outcome = { matched: 0, modified: 0 }
  for (const stored of collection ? matchesOf(engine, collection, { filter, sort, limit }) : []) {
    const { modified } = updateStored(engine, collection!, stored, update, filter)
    outcome.matched += 1
    if (modified) outcome.modified += 1
  }
  if (outcome.matched === 0 && flag(statement, 'upsert'))
    outcome.upsertedId = {
      _id: upsertNew(engine, engine.catalog.ensure(db, name), update, filter)._id,
    }
  return outcome
}

/** All matches before the first change: a changed document must not come up a second time. */
export const matchesOf = (
  engine: Engine,
  collection: Collection,
  query: Parameters<typeof scan>[2],
): Stored[] => [...scan(engine.storage, collection, query)]

export const updateCommand: Command = {
  writes: true,
  fields: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
  run: (engine, body, db) => {
    const statements = listOf(body, 'updates')
    const name = collectionName(body, 'update')
    let [n, nModified] = [0, 0]
    const upserts: Doc[] = []
    const writeErrors = eachStatement(statements, flag(body, 'ordered', true), (statement, index) => {
      const { matched, modified, upsertedId } = execute(engine, db, name, statement)
      n += matched + (upsertedId ? 1 : 0)
      nModified += modified
      if (upsertedId) upserts.push({ index, _id: upsertedId._id })
    })
    return withErrors({ n, nModified, ...(upserts.length > 0 && { upserted: upserts }) }, writeErrors)
  },
}
