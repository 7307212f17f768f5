import { serialize } from 'bson'
import type { Storage } from './storage.ts'
import { type Doc, decode } from './values.ts'

/** One index: its keys stand in the table `keys_<id>`, in the order of their bytes. */
export interface Index {
  id: number
  name: string
  /** As `listIndexes` shows it. */
  spec: Doc
  key: Record<string, 1 | -1>
  paths: string[]
  directions: (1 | -1)[]
  unique: boolean
  sparse: boolean
  expireAfterSeconds: number | undefined
  /** Some document stands in it more than once, because the field is an array. */
  multikey: boolean
}

/** One collection: its documents stand in the table `docs_<id>`. */
export interface Collection {
  id: number
  db: string
  name: string
  indexes: Index[]
}

export interface Catalog {
  find(db: string, name: string): Collection | undefined
  /** The collection, made with its index on `_id` when it isn't there. */
  ensure(db: string, name: string): Collection
  all(): Collection[]
  drop(collection: Collection): void
  addIndex(collection: Collection, spec: Doc): Index
  markMultikey(index: Index): void
  /** Forgets what is in memory: another connection changed it, or a transaction was rolled back. */
  reload(): void
}

export function namespaceOf(collection: Collection): string {
  return `${collection.db}.${collection.name}`
}

export function openCatalog(storage: Storage): Catalog {
  let collections = load(storage)
  const find = (db: string, name: string) => collections.get(`${db}.${name}`)
  /** Readers on other connections compare this number with the one that they know. */
  const tellReaders = () => storage.exec(`PRAGMA user_version = ${versionOf(storage) + 1}`)

  function addIndex(collection: Collection, spec: Doc): Index {
    const sql = 'INSERT INTO indexes (collection, spec) VALUES (?, ?)'
    const id = storage.run(sql, collection.id, serialize(spec))
    storage.exec(
      `CREATE TABLE keys_${id} (key BLOB NOT NULL, rec INTEGER NOT NULL, PRIMARY KEY (key, rec)) WITHOUT ROWID`,
    )
    tellReaders()
    const index = indexFrom(id, spec, false)
    collection.indexes.push(index)
    return index
  }

  function create(db: string, name: string): Collection {
    const sql = 'INSERT INTO collections (db, name, created) VALUES (?, ?, ?)'
    const id = storage.run(sql, db, name, Date.now())
    storage.exec(`CREATE TABLE docs_${id} (rec INTEGER PRIMARY KEY, doc BLOB NOT NULL)`)
    const collection = { id, db, name, indexes: [] }
    collections.set(namespaceOf(collection), collection)
    addIndex(collection, { v: 2, key: { _id: 1 }, name: '_id_' })
    return collection
  }

  return {
    find,
    ensure: (db, name) => find(db, name) ?? create(db, name),
    all: () => [...collections.values()],
    drop: collection => {
      for (const { id } of collection.indexes) storage.exec(`DROP TABLE keys_${id}`)
      storage.exec(`DROP TABLE docs_${collection.id}`)
      storage.run('DELETE FROM indexes WHERE collection = ?', collection.id)
      storage.run('DELETE FROM collections WHERE id = ?', collection.id)
      collections.delete(namespaceOf(collection))
      tellReaders()
    },
    addIndex,
    markMultikey: index => {
      if (index.multikey) return
      storage.run('UPDATE indexes SET multikey = 1 WHERE id = ?', index.id)
      index.multikey = true
      tellReaders()
    },
    reload: () => {
      collections = load(storage)
    },
  }
}

/** Changes with every change of the catalog. */
export function versionOf(storage: Storage): number {
  return storage.get('PRAGMA user_version')!.user_version as number
}

function load(storage: Storage): Map<string, Collection> {
  const byId = new Map<number, Collection>()
  for (const row of storage.all('SELECT id, db, name FROM collections ORDER BY id')) {
    const { id, db, name } = row as { id: number; db: string; name: string }
    byId.set(id, { id, db, name, indexes: [] })
  }
  for (const row of storage.all('SELECT id, collection, spec, multikey FROM indexes ORDER BY id')) {
    const spec = decode(row.spec as Uint8Array)
    byId.get(row.collection as number)?.indexes.push(indexFrom(row.id as number, spec, row.multikey === 1))
  }
  return new Map([...byId.values()].map(collection => [namespaceOf(collection), collection]))
}

function indexFrom(id: number, spec: Doc, multikey: boolean): Index {
  const key = spec.key as Index['key']
  return {
    id,
    name: String(spec.name),
    spec,
    key,
    paths: Object.keys(key),
    directions: Object.values(key),
    unique: spec.unique === true || spec.name === '_id_',
    sparse: spec.sparse === true,
    expireAfterSeconds: spec.expireAfterSeconds as number | undefined,
    multikey,
  }
}
