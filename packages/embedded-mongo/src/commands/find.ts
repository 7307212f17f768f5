import { Long } from 'bson'
import type { Collection } from '../catalog.ts'
import { firstBatchSize } from '../cursors.ts'
import { badValue, notImplemented } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { readProjection } from '../projection.ts'
import { type ScanCost, scan } from '../scan.ts'
import { readSort } from '../sort.ts'
import { type Doc, isTruthy, type Value } from '../values.ts'
import { type Command, collectionName, count, type Engine, existing, flag } from './command.ts'

const findFields = [
  'filter',
  'sort',
  'projection',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'hint',
  'collation',
  'let',
  'allowDiskUse',
  'noCursorTimeout',
  'allowPartialResults',
  'tailable',
  'awaitData',
  'oplogReplay',
  'returnKey',
  'showRecordId',
  'min',
  'max',
]

const refuseFindOptions = (body: Doc) => {
  for (const name of ['tailable', 'awaitData', 'oplogReplay', 'returnKey', 'showRecordId', 'min', 'max'])
    if (isTruthy(body[name])) throw notImplemented(`the find option '${name}'`)
}

/** A hint names an index that must be there; which one is read is decided here all the same, the answer is alike. */
export const checkHint = (collection: Collection | undefined, hint: Value): void => {
  if (hint === undefined || !collection) return
  const known = collection.indexes.some(({ name, key }) =>
    typeof hint === 'string' ? name === hint : JSON.stringify(key) === JSON.stringify(hint),
  )
  const natural = typeof hint === 'object' && hint !== null && '$natural' in hint
  if (natural) throw notImplemented('the hint $natural')
  if (!known) throw badValue('error processing query: planner returned error: bad hint')
}

const queryOf = (body: Doc) => ({
  filter: readFilter(body.filter),
  sort: readSort(body.sort),
  skip: count(body, 'skip', 0),
  limit: count(body, 'limit', 0) || Number.POSITIVE_INFINITY,
})

/** The documents that a find command asks for. */
const found = (
  { storage }: Engine,
  collection: Collection | undefined,
  body: Doc,
  cost?: ScanCost,
): Iterable<Doc> => {
  refuseFindOptions(body)
  const query = queryOf(body)
  const project = readProjection(body.projection, query.filter)
  checkHint(collection, body.hint)
  if (!collection) return []
  return projected(scan(storage, collection, query, cost), project)
}

function* projected(
  stored: Iterable<{ doc: Doc }>,
  project: ((doc: Doc) => Doc) | undefined,
): Generator<Doc> {
  for (const { doc } of stored) yield project ? project(doc) : doc
}

const find: Command = {
  fields: findFields,
  run: (engine, body, db) => {
    const namespace = `${db}.${collectionName(body, 'find')}`
    const docs = found(engine, existing(engine, body, 'find', db), body)
    const batchSize = count(body, 'batchSize', firstBatchSize)
    return engine.cursors.open(namespace, docs, batchSize, flag(body, 'singleBatch'))
  },
}

const getMore: Command = {
  fields: ['collection', 'batchSize'],
  run: ({ cursors }, body, db) => {
    const namespace = `${db}.${collectionName(body, 'collection')}`
    const batchSize = count(body, 'batchSize', 0) || Number.POSITIVE_INFINITY
    return cursors.more(cursorId(body.getMore), namespace, batchSize)
  },
}

const cursorId = (value: Value): Long => {
  if (value instanceof Long) return value
  if (typeof value === 'number') return Long.fromNumber(value)
  throw badValue('a cursor id is a 64-bit number')
}

const killCursors: Command = {
  fields: ['cursors'],
  run: ({ cursors }, body) => {
    const ids = Array.isArray(body.cursors) ? body.cursors.map(cursorId) : []
    const { killed, missing } = cursors.kill(ids)
    return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [], ok: 1 }
  },
}

/** Runs a find to its end and tells how many documents it had to read, and through which index. */
const explain: Command = {
  fields: ['verbosity'],
  run: (engine, body, db) => {
    const inner = body.explain as Doc
    if (typeof inner?.find !== 'string') throw notImplemented('explain of anything but find')
    const cost: ScanCost = { examined: 0, index: undefined }
    const collection = existing(engine, inner, 'find', db)
    const nReturned = [...found(engine, collection, inner, cost)].length
    const stage = cost.index ? { stage: 'IXSCAN', indexName: cost.index } : { stage: 'COLLSCAN' }
    return {
      queryPlanner: { namespace: `${db}.${inner.find}`, winningPlan: stage, rejectedPlans: [] },
      executionStats: { executionSuccess: true, nReturned, totalDocsExamined: cost.examined },
      ok: 1,
    }
  },
}

export const findCommands: Record<string, Command> = { find, getMore, killCursors, explain }
