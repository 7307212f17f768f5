import type { Collection, Index } from '../catalog.ts'
import { identical } from '../compare.ts'
import { CommandError, notImplemented, typeMismatch } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { allOf } from '../scan.ts'
import { type Doc, isDoc, isTruthy, plainNumber, type Value } from '../values.ts'
import { type Command, collectionName, count, type Engine, existing, listOf } from './command.ts'

const specFields = [
  'key',
  'name',
  'v',
  'ns',
  'unique',
  'sparse',
  'background',
  'expireAfterSeconds',
  'partialFilterExpression',
  'collation',
]

/** An index as `listIndexes` will show it. */
const readSpec = (spec: Doc): Doc => {
  const unknown = Object.keys(spec).find(name => !specFields.includes(name))
  if (unknown) throw notImplemented(`the index option '${unknown}'`)
  if (isDoc(spec.collation) && spec.collation.locale !== 'simple')
    throw notImplemented('an index with a collation')
  if (!isDoc(spec.key) || Object.keys(spec.key).length === 0)
    throw new CommandError(67, 'Index keys cannot be an empty object or missing')
  const key = Object.fromEntries(
    Object.entries(spec.key).map(([path, direction]) => [path, readDirection(path, direction)]),
  )
  const ttl = readTtl(spec.expireAfterSeconds, key)
  const partial = spec.partialFilterExpression
  if (partial !== undefined) readFilter(partial, 'partialFilterExpression')
  if (partial !== undefined && isTruthy(spec.sparse))
    throw new CommandError(67, 'cannot mix "partialFilterExpression" and "sparse" options')
  return {
    v: 2,
    key,
    name: typeof spec.name === 'string' && spec.name ? spec.name : defaultName(key),
    ...(isTruthy(spec.unique) && { unique: true }),
    ...(isTruthy(spec.sparse) && { sparse: true }),
    ...(partial !== undefined && { partialFilterExpression: partial }),
    ...(ttl !== undefined && { expireAfterSeconds: ttl }),
  }
}

const readDirection = (path: string, value: Value): 1 | -1 => {
  if (typeof value === 'string') throw notImplemented(`an index of type '${value}'`)
  if (path === '' || path.split('.').includes(''))
    throw new CommandError(67, 'Index keys cannot contain an empty field.')
  if (path.startsWith('$') || path.includes('$**')) throw notImplemented('a wildcard index')
  const direction = plainNumber(value)
  if (!direction)
    throw new CommandError(
      67,
      `Values in v:2 index key pattern cannot be 0 or of another type than number. Bad value for '${path}'`,
    )
  return direction > 0 ? 1 : -1
}

const readTtl = (value: Value, key: Doc): number | undefined => {
  if (value === undefined) return undefined
  const seconds = plainNumber(value)
  if (seconds === undefined || seconds < 0 || seconds > 2_147_483_647)
    throw new CommandError(
      67,
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, found ${String(value)}`,
    )
  if (Object.keys(key).length > 1)
    throw new CommandError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL')
  return seconds
}

const defaultName = (key: Record<string, number>) =>
  Object.entries(key)
    .map(([path, direction]) => `${path}_${direction}`)
    .join('_')

/** The index that is already there in the same form; one with the same name or key in another form is an error. */
const sameIndex = (collection: Collection, spec: Doc): Index | undefined => {
  const named = collection.indexes.find(({ name }) => name === spec.name)
  if (named && !identical(named.spec.key, spec.key))
    throw new CommandError(
      86,
      `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${JSON.stringify(spec)}, existing index: ${JSON.stringify(named.spec)}`,
    )
  const known =
    named ??
    collection.indexes.find(
      index =>
        identical(index.spec.key, spec.key) &&
        identical(index.spec.partialFilterExpression ?? null, spec.partialFilterExpression ?? null),
    )
  if (!known || known.name === '_id_') return known
  if (!identical({ ...known.spec, name: spec.name }, spec) || known.name !== spec.name)
    throw new CommandError(
      85,
      `An equivalent index already exists with a different name or options. Requested index: ${JSON.stringify(spec)}, existing index: ${JSON.stringify(known.spec)}`,
    )
  return known
}

const build = ({ storage, catalog, records }: Engine, collection: Collection, spec: Doc): void => {
  const index = catalog.addIndex(collection, spec)
  for (const stored of allOf(storage, collection)) records.index(collection, index, stored)
}

const createIndexes: Command = {
  writes: true,
  fields: ['indexes', 'commitQuorum'],
  run: (engine, body, db) => {
    const specs = listOf(body, 'indexes').map(readSpec)
    const createdCollectionAutomatically = !existing(engine, body, 'createIndexes', db)
    const collection = engine.catalog.ensure(db, collectionName(body, 'createIndexes'))
    const numIndexesBefore = collection.indexes.length
    for (const spec of specs) if (!sameIndex(collection, spec)) build(engine, collection, spec)
    const numIndexesAfter = collection.indexes.length
    const note = numIndexesAfter === numIndexesBefore && { note: 'all indexes already exist' }
    return { numIndexesBefore, numIndexesAfter, createdCollectionAutomatically, ...note, ok: 1 }
  },
}

const missingCollection = (db: string, name: string) =>
  new CommandError(26, `ns does not exist: ${db}.${name}`)

const listIndexes: Command = {
  fields: ['cursor'],
  run: (engine, body, db) => {
    const name = collectionName(body, 'listIndexes')
    const collection = existing(engine, body, 'listIndexes', db)
    if (!collection) throw missingCollection(db, name)
    const batchSize = isDoc(body.cursor) ? count(body.cursor, 'batchSize', 101) : 101
    return engine.cursors.open(
      `${db}.${name}`,
      collection.indexes.map(({ spec }) => spec),
      batchSize,
      false,
    )
  },
}

const chosen = (collection: Collection, wanted: Value): Index[] => {
  if (wanted === '*') return collection.indexes.filter(({ name }) => name !== '_id_')
  if (Array.isArray(wanted)) return wanted.flatMap(name => chosen(collection, name))
  const index = collection.indexes.find(({ name, key }) =>
    isDoc(wanted) ? identical(key, wanted) : name === wanted,
  )
  if (!index)
    throw new CommandError(
      27,
      isDoc(wanted)
        ? `can't find index with key: ${JSON.stringify(wanted)}`
        : `index not found with name [${String(wanted)}]`,
    )
  if (index.name === '_id_') throw new CommandError(72, 'cannot drop _id index')
  return [index]
}

const dropIndexes: Command = {
  writes: true,
  fields: ['index'],
  run: (engine, body, db) => {
    const name = body.dropIndexes === undefined ? 'deleteIndexes' : 'dropIndexes'
    const collection = existing(engine, body, name, db)
    if (!collection) throw new CommandError(26, `ns not found ${db}.${collectionName(body, name)}`)
    if (body.index === undefined)
      throw typeMismatch("BSON field 'dropIndexes.index' is missing but a required field")
    const nIndexesWas = collection.indexes.length
    for (const index of chosen(collection, body.index)) engine.catalog.dropIndex(collection, index)
    return { nIndexesWas, ok: 1 }
  },
}

export const indexCommands: Record<string, Command> = {
  createIndexes,
  listIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
}
