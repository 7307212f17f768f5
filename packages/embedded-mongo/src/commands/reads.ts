import { Long, serialize } from 'bson'
import type { Collection } from '../catalog.ts'
import { FIRST_BATCH_SIZE } from '../cursors.ts'
import { badValue, notImplemented } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { readProjection } from '../projection.ts'
import { type ScanCost, scan } from '../scan.ts'
import { readSort } from '../sort.ts'
import { type Doc, isDoc, type Value } from '../values.ts'
import {
  type Command,
  checkStatement,
  collectionName,
  count,
  type Engine,
  existing,
  flag,
} from './command.ts'

const FIND_FIELDS = ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch']

/** The documents that a find command asks for, encoded. */
function* found(
  { storage }: Engine,
  collection: Collection | undefined,
  body: Doc,
  cost?: ScanCost,
): Generator<Uint8Array> {
  const query = {
    filter: readFilter(body.filter),
    sort: readSort(body.sort),
    skip: count('skip', body.skip, 0),
    limit: count('limit', body.limit, 0) || Number.POSITIVE_INFINITY,
  }
  const project = readProjection(body.projection)
  if (!collection) return
  for (const stored of scan(storage, collection, query, cost))
    yield project ? serialize(project(stored.doc), { ignoreUndefined: false }) : stored.bytes
}

const find: Command = {
  kind: 'read',
  fields: FIND_FIELDS,
  run: (engine, body, db) => {
    const docs = found(engine, existing(engine, body, db), body)
    const batchSize = count('batchSize', body.batchSize, FIRST_BATCH_SIZE)
    return engine.cursors.open(`${db}.${collectionName(body)}`, docs, batchSize, flag(body, 'singleBatch'))
  },
}

const getMore: Command = {
  kind: 'read',
  fields: ['collection', 'batchSize'],
  run: ({ cursors }, body, db) => {
    const batchSize = count('batchSize', body.batchSize, 0) || Number.POSITIVE_INFINITY
    return cursors.more(cursorId(body.getMore), `${db}.${collectionName(body, 'collection')}`, batchSize)
  },
}

function cursorId(value: Value): Long {
  if (value instanceof Long) return value
  if (typeof value === 'number') return Long.fromNumber(value)
  throw badValue('a cursor id is a 64-bit number')
}

const killCursors: Command = {
  kind: 'read',
  fields: ['cursors'],
  run: ({ cursors }, body) => {
    const { killed, missing } = cursors.kill(Array.isArray(body.cursors) ? body.cursors.map(cursorId) : [])
    return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [], ok: 1 }
  },
}

/** Runs a find to its end and tells how many documents it had to read, and through which indexes. */
const explain: Command = {
  kind: 'read',
  fields: ['verbosity'],
  run: (engine, body, db) => {
    const inner = isDoc(body.explain) ? body.explain : {}
    if (typeof inner.find !== 'string') throw notImplemented('explain of anything but find')
    checkStatement('explain', inner, ['find', '$db', ...FIND_FIELDS])
    const cost: ScanCost = { examined: 0, indexes: [] }
    const nReturned = [...found(engine, existing(engine, inner, db), inner, cost)].length
    const stage = cost.indexes[0] ? { stage: 'IXSCAN', indexNames: cost.indexes } : { stage: 'COLLSCAN' }
    return {
      queryPlanner: { namespace: `${db}.${inner.find}`, winningPlan: stage, rejectedPlans: [] },
      executionStats: { executionSuccess: true, nReturned, totalDocsExamined: cost.examined },
      ok: 1,
    }
  },
}

export const readCommands: Record<string, Command> = { find, getMore, killCursors, explain }
