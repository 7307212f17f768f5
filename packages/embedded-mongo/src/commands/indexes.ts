import { serialize } from 'bson'
import type { Collection } from '../catalog.ts'
import { FIRST_BATCH_SIZE } from '../cursors.ts'
import { CommandError, notImplemented } from '../errors.ts'
import { allOf } from '../scan.ts'
import { type Doc, isDoc, isTruthy, type Value } from '../values.ts'
import { type Command, collectionName, count, existing, listOf } from './command.ts'

const SPEC_FIELDS = ['key', 'name', 'v', 'unique', 'sparse', 'background', 'expireAfterSeconds']

/** An index as `listIndexes` will show it. */
function readSpec(spec: Doc): Doc {
  const unknown = Object.keys(spec).find(name => !SPEC_FIELDS.includes(name))
  if (unknown) throw notImplemented(`the index option '${unknown}'`)
  if (!isDoc(spec.key) || Object.keys(spec.key).length === 0)
    throw new CommandError(67, 'Index keys cannot be an empty object or missing')
  const paths = Object.entries(spec.key).map(([path, direction]) => [path, readDirection(path, direction)])
  const key = Object.fromEntries(paths)
  const ttl = spec.expireAfterSeconds
  if (ttl !== undefined && !(typeof ttl === 'number' && ttl >= 0 && paths.length === 1))
    throw new CommandError(67, 'A TTL index has one field and a number of seconds that is not negative')
  return {
    v: 2,
    key,
    name: typeof spec.name === 'string' && spec.name ? spec.name : paths.flat().join('_'),
    ...(isTruthy(spec.unique) && { unique: true }),
    ...(isTruthy(spec.sparse) && { sparse: true }),
    ...(ttl !== undefined && { expireAfterSeconds: ttl }),
  }
}

function readDirection(path: string, value: Value): 1 | -1 {
  if (typeof value === 'string') throw notImplemented(`an index of type '${value}'`)
  if (path.includes('$')) throw notImplemented('a wildcard index')
  if (typeof value !== 'number' || value === 0 || path.split('.').includes(''))
    throw new CommandError(67, `An index has names of fields with 1 or -1. Bad value for '${path}'`)
  return value > 0 ? 1 : -1
}

/** The same fields with the same values in the same order. */
function isSame(some: Doc, others: Doc): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}

/** Whether the index is there in the same form; one with the same name or key in another form is an error. */
function isKnown(collection: Collection, spec: Doc): boolean {
  const named = collection.indexes.find(({ name }) => name === spec.name)
  if (named && !isSame(named.key, spec.key as Doc))
    throw new CommandError(86, `An existing index has the same name: ${JSON.stringify(named.spec)}`)
  const known = named ?? collection.indexes.find(({ key }) => isSame(key, spec.key as Doc))
  if (!known || known.name === '_id_') return known !== undefined
  if (isSame(known.spec, spec)) return true
  throw new CommandError(85, `The index exists with another name or options: ${JSON.stringify(known.spec)}`)
}

const createIndexes: Command = {
  kind: 'write',
  fields: ['indexes'],
  run: (engine, body, db) => {
    const specs = listOf(body, 'indexes').map(readSpec)
    const createdCollectionAutomatically = !existing(engine, body, db)
    const collection = engine.catalog.ensure(db, collectionName(body))
    const numIndexesBefore = collection.indexes.length
    for (const spec of specs) {
      if (isKnown(collection, spec)) continue
      const index = engine.catalog.addIndex(collection, spec)
      for (const stored of allOf(engine.storage, collection)) engine.records.index(collection, index, stored)
    }
    const numIndexesAfter = collection.indexes.length
    return { numIndexesBefore, numIndexesAfter, createdCollectionAutomatically, ok: 1 }
  },
}

const listIndexes: Command = {
  kind: 'read',
  fields: ['cursor'],
  run: (engine, body, db) => {
    const collection = existing(engine, body, db)
    const namespace = `${db}.${collectionName(body)}`
    if (!collection) throw new CommandError(26, `ns does not exist: ${namespace}`)
    const { batchSize } = isDoc(body.cursor) ? body.cursor : {}
    const specs = collection.indexes.map(({ spec }) => serialize(spec))
    return engine.cursors.open(namespace, specs, count('batchSize', batchSize, FIRST_BATCH_SIZE), false)
  },
}

const dropDatabase: Command = {
  kind: 'write',
  fields: [],
  run: ({ catalog }, _body, db) => {
    for (const collection of catalog.all()) if (collection.db === db) catalog.drop(collection)
    return { dropped: db, ok: 1 }
  },
}

export const indexCommands: Record<string, Command> = { createIndexes, listIndexes, dropDatabase }
