import { Long, serialize } from 'bson'
import type { Collection } from '../catalog.ts'
import { FIRST_BATCH_SIZE } from '../cursors.ts'
import { readFilter } from '../filter.ts'
import { readProjection } from '../projection.ts'
import { scan } from '../scan.ts'
import { readSort } from '../sort.ts'
import type { Doc } from '../values.ts'
import { type Command, collectionName, count, type Engine, existing, flag } from './command.ts'

/** The documents that a find command asks for, encoded. */
function* found(
  { storage, patience }: Engine,
  collection: Collection | undefined,
  body: Doc,
): Generator<Uint8Array> {
  const query = {
    filter: readFilter(body.filter),
    sort: readSort(body.sort),
    skip: count('skip', body.skip, 0),
    limit: count('limit', body.limit, 0) || Number.POSITIVE_INFINITY,
    patience,
  }
  const project = readProjection(body.projection)
  if (!collection) return
  for (const stored of scan(storage, collection, query))
    yield project ? serialize(project(stored.doc), { ignoreUndefined: false }) : stored.bytes
}

const find: Command = {
  kind: 'read',
  fields: ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch'],
  run: (engine, body, db) => {
    const docs = found(engine, existing(engine, body, db), body)
    const batchSize = count('batchSize', body.batchSize, FIRST_BATCH_SIZE)
    return engine.cursors.open(`${db}.${collectionName(body)}`, docs, batchSize, flag(body, 'singleBatch'))
  },
}

const getMore: Command = {
  kind: 'read',
  fields: ['collection', 'batchSize'],
  run: ({ cursors }, body) => {
    const batchSize = count('batchSize', body.batchSize, 0) || Number.POSITIVE_INFINITY
    return cursors.more(body.getMore as number, batchSize)
  },
}

const killCursors: Command = {
  kind: 'read',
  fields: ['cursors'],
  run: ({ cursors }, body) => {
    const { killed, missing } = cursors.kill(Array.isArray(body.cursors) ? body.cursors : [])
    const inLongs = (ids: number[]) => ids.map(id => Long.fromNumber(id))
    return { cursorsKilled: inLongs(killed), cursorsNotFound: inLongs(missing), ok: 1 }
  },
}

export const readCommands: Record<string, Command> = { find, getMore, killCursors }
