import { serialize } from 'bson'
import { CommandError } from './errors.ts'
import { compileFilter } from './expressions.ts'
import { readFilter } from './filter.ts'
import type { Storage } from './storage.ts'
import { type Doc, decode, plainNumber } from './values.ts'

/** One index: its keys stand in the table `keys_<id>`, in the order of their bytes. */
export type Index = {
  id: number
  name: string
  /** As `listIndexes` shows it. */
  spec: Doc
  key: Record<string, 1 | -1>
  paths: string[]
  directions: (1 | -1)[]
  unique: boolean
  sparse: boolean
  /** The filter of a partial index, brought into form. */
  partial: Doc | undefined
  covers: (doc: Doc) => boolean
  expireAfterSeconds: number | undefined
  /** Some document stands in it more than once, because the field is an array. */
  multikey: boolean
}

/** One collection: its documents stand in the table `docs_<id>`. */
export type Collection = { id: number; db: string; name: string; indexes: Index[] }

export type Catalog = {
  find: (db: string, name: string) => Collection | undefined
  /** The collection, made with its index on `_id` when it isn't there. */
  ensure: (db: string, name: string) => Collection
  all: () => Collection[]
  drop: (collection: Collection) => void
  addIndex: (collection: Collection, spec: Doc) => Index
  dropIndex: (collection: Collection, index: Index) => void
  markMultikey: (index: Index) => void
  /** Forgets what is in memory; to be called when a transaction was rolled back. */
  reload: () => void
}

export const namespaceOf = (collection: Collection) => `${collection.db}.${collection.name}`

export const openCatalog = (storage: Storage): Catalog => {
  let collections = load(storage)
  const find = (db: string, name: string) => collections.get(`${db}.${name}`)

  const addIndex = (collection: Collection, spec: Doc): Index => {
    const id = storage.run(
      'INSERT INTO indexes (collection, spec) VALUES (?, ?)',
      collection.id,
      serialize(spec),
    )
    storage.exec(
      `CREATE TABLE keys_${id} (key BLOB NOT NULL, rec INTEGER NOT NULL, PRIMARY KEY (key, rec)) WITHOUT ROWID`,
    )
    const index = indexFrom(id, spec, false)
    collection.indexes.push(index)
    return index
  }

  const create = (db: string, name: string): Collection => {
    checkNames(db, name)
    const id = storage.run(
      'INSERT INTO collections (db, name, created) VALUES (?, ?, ?)',
      db,
      name,
      Date.now(),
    )
    storage.exec(`CREATE TABLE docs_${id} (rec INTEGER PRIMARY KEY, doc BLOB NOT NULL)`)
    const collection = { id, db, name, indexes: [] }
    collections.set(`${db}.${name}`, collection)
    addIndex(collection, { v: 2, key: { _id: 1 }, name: '_id_' })
    return collection
  }

  const dropIndex = (collection: Collection, index: Index) => {
    storage.exec(`DROP TABLE keys_${index.id}`)
    storage.run('DELETE FROM indexes WHERE id = ?', index.id)
    collection.indexes = collection.indexes.filter(other => other !== index)
  }

  return {
    find,
    ensure: (db, name) => find(db, name) ?? create(db, name),
    all: () => [...collections.values()],
    drop: collection => {
      for (const index of collection.indexes) dropIndex(collection, index)
      storage.exec(`DROP TABLE docs_${collection.id}`)
      storage.run('DELETE FROM collections WHERE id = ?', collection.id)
      collections.delete(namespaceOf(collection))
    },
    addIndex,
    dropIndex,
    markMultikey: index => {
      if (index.multikey) return
      storage.run('UPDATE indexes SET multikey = 1 WHERE id = ?', index.id)
      index.multikey = true
    },
    reload: () => {
      collections = load(storage)
    },
  }
}

const load = (storage: Storage): Map<string, Collection> => {
  const byId = new Map<number, Collection>()
  for (const row of storage.all('SELECT id, db, name FROM collections ORDER BY id')) {
    const { id, db, name } = row as { id: number; db: string; name: string }
    byId.set(id, { id, db, name, indexes: [] })
  }
  for (const row of storage.all('SELECT id, collection, spec, multikey FROM indexes ORDER BY id')) {
    const { id, collection, spec, multikey } = row as Record<'id' | 'collection' | 'multikey', number> & {
      spec: Uint8Array
    }
    byId.get(collection)?.indexes.push(indexFrom(id, decode(spec), multikey === 1))
  }
  return new Map([...byId.values()].map(collection => [namespaceOf(collection), collection]))
}

const indexFrom = (id: number, spec: Doc, multikey: boolean): Index => {
  const key = spec.key as Record<string, 1 | -1>
  const partial = spec.partialFilterExpression ? readFilter(spec.partialFilterExpression) : undefined
  return {
    id,
    name: String(spec.name),
    spec,
    key,
    paths: Object.keys(key),
    directions: Object.values(key),
    unique: spec.unique === true || spec.name === '_id_',
    sparse: spec.sparse === true,
    partial,
    covers: partial ? compileFilter(partial) : () => true,
    expireAfterSeconds: plainNumber(spec.expireAfterSeconds),
    multikey,
  }
}

const checkNames = (db: string, name: string) => {
  if (!/^[^/\\. "$*<>:|?\0]{1,63}$/.test(db)) throw invalidNamespace(`Invalid database name: '${db}'`)
  if (
    name === '' ||
    name.includes('\0') ||
    name.includes('$') ||
    name.startsWith('.') ||
    name.startsWith('system.')
  )
    throw invalidNamespace(`Invalid collection name: '${db}.${name}'`)
}

const invalidNamespace = (message: string) => new CommandError(73, message)
