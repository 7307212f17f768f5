import { serialize } from 'bson'
import type { Storage } from './storage.ts'
import { type Doc, decode } from './values.ts'

/** An index, whose keys are rows of the table `keys_<id>`, in byte order. */
export interface Index {
  id: number
  name: string
  key: Record<string, 1 | -1>
  unique: boolean
  sparse?: boolean
  expireAfterSeconds?: number
  /** The specification as stored. */
  spec: Doc
  paths: string[]
  /** Top-level fields with which the paths begin. */
  fields: string[]
  directions: (1 | -1)[]
  /** Bit n is set once a document has an array at path n, and so several keys. */
  arrays: number
}

/** A collection, whose documents are rows of the table `docs_<id>`. */
export interface Collection {
  id: number
  /** `<database>.<name>` */
  namespace: string
  indexes: Index[]
}

export type Catalog = ReturnType<typeof openCatalog>

/** Loads collections and indexes, and keeps them in memory. */
export function openCatalog(storage: Storage) {
  let collections = load(storage)

  function addIndex(collection: Collection, spec: Doc): Index {
    const sql = 'INSERT INTO indexes (collection, spec) VALUES (?, ?)'
    const id = storage.run(sql, collection.id, serialize(spec))
    storage.exec(
      `CREATE TABLE keys_${id} (key BLOB NOT NULL, rec INTEGER NOT NULL, PRIMARY KEY (key, rec)) WITHOUT ROWID`,
    )
    const index = indexFrom(id, spec, 0)
    makeAsked(index)
    collection.indexes.push(index)
    return index
  }

  function makeAsked(index: Index): void {
    if (hasKeysByDocument(index))
      storage.exec(`CREATE INDEX IF NOT EXISTS recs_${index.id} ON keys_${index.id} (rec, key)`)
  }

  function create(namespace: string): Collection {
    const [db = '', ...name] = namespace.split('.')
    const sql = 'INSERT INTO collections (db, name, created) VALUES (?, ?, ?)'
    const id = storage.run(sql, db, name.join('.'), Date.now())
    storage.exec(`CREATE TABLE docs_${id} (rec INTEGER PRIMARY KEY, doc BLOB NOT NULL)`)
    const collection = { id, namespace, indexes: [] }
    collections.set(namespace, collection)
    addIndex(collection, { v: 2, key: { _id: 1 }, name: '_id_' })
    return collection
  }

  return {
    find: (namespace: string) => collections.get(namespace),
    /** Returns the collection, and creates it with its index on `_id` if it is missing. */
    ensure: (namespace: string) => collections.get(namespace) ?? create(namespace),
    all: () => [...collections.values()],
    addIndex,
    markArrays(index: Index, arrays: number): void {
      if ((index.arrays | arrays) === index.arrays) return
      index.arrays |= arrays
      storage.run('UPDATE indexes SET multikey = ? WHERE id = ?', index.arrays, index.id)
      makeAsked(index)
    },
    /** Reloads from storage, after a rollback. */
    reload(): void {
      collections = load(storage)
    },
  }
}

function load(storage: Storage): Map<string, Collection> {
  const found = new Map<string, Collection>()
  for (const row of storage.all('SELECT id, db, name FROM collections ORDER BY id')) {
    const [id, namespace] = [row.id as number, `${row.db}.${row.name}`]
    const indexes = storage
      .all('SELECT id, spec, multikey FROM indexes WHERE collection = ? ORDER BY id', id)
      .map(index => indexFrom(index.id as number, decode(index.spec as Uint8Array), index.multikey as number))
    found.set(namespace, { id, namespace, indexes })
  }
  return found
}

function indexFrom(id: number, spec: Doc, arrays: number): Index {
  const { name, key, ...options } = spec as unknown as Omit<Index, 'id' | 'spec'>
  const unique = options.unique === true || name === '_id_'
  const [paths, directions] = [Object.keys(key), Object.values(key)]
  const fields = paths.map(path => path.split('.')[0]!)
  return { id, spec, name, key, ...options, unique, paths, fields, directions, arrays }
}

export const isArrayAt = ({ arrays }: Index, path: number) => (arrays & (1 << path)) !== 0

/** Whether keys can be looked up by document: in indexes over arrays, and in those that order a list (`_id` last). */
export const hasKeysByDocument = (index: Index) =>
  index.paths.length > 1 &&
  (index.paths.at(-1) === '_id' || index.paths.some((_, at) => at > 0 && isArrayAt(index, at)))
