import { type Catalog, type Collection, type Index, namespaceOf } from './catalog.ts'
import { CommandError } from './errors.ts'
import { compoundKey, EMPTY_ARRAY } from './keys.ts'
import { indexTuples } from './paths.ts'
import type { Storage } from './storage.ts'
import type { Doc, Value } from './values.ts'

/** A stored document with its row in `docs_<collection>`. */
export interface Stored {
  rec: number
  doc: Doc
  bytes: Uint8Array
}

export interface Records {
  insert(collection: Collection, doc: Doc, bytes: Uint8Array): void
  replace(collection: Collection, stored: Stored, doc: Doc, bytes: Uint8Array): void
  remove(collection: Collection, stored: Stored): void
  /** Puts one document into a new index. */
  index(collection: Collection, index: Index, stored: Stored): void
}

interface Entry {
  key: Buffer
  values: Value[]
}

/** Keeps documents and the keys of all indexes in step. Duplicates are found before anything is written. */
export function createRecords(storage: Storage, catalog: Catalog): Records {
  function refuseDuplicates(collection: Collection, index: Index, entries: Iterable<Entry>, rec: number) {
    if (!index.unique) return
    for (const { key, values } of entries)
      if (storage.get(`SELECT 1 FROM keys_${index.id} WHERE key = ? AND rec <> ? LIMIT 1`, key, rec))
        throw duplicateKey(collection, index, values)
  }
  function addKeys(index: Index, entries: Map<string, Entry>, rec: number) {
    for (const { key } of entries.values())
      storage.run(`INSERT INTO keys_${index.id} (key, rec) VALUES (?, ?)`, key, rec)
  }
  function removeKeys(index: Index, entries: Map<string, Entry>, rec: number) {
    for (const { key } of entries.values())
      storage.run(`DELETE FROM keys_${index.id} WHERE key = ? AND rec = ?`, key, rec)
  }
  function markMultikey(index: Index, entries: Map<string, Entry>) {
    if (entries.size > 1) catalog.markMultikey(index)
  }

  return {
    insert: (collection, doc, bytes) => {
      const all = collection.indexes.map(index => ({ index, entries: entriesOf(index, doc) }))
      for (const { index, entries } of all) refuseDuplicates(collection, index, entries.values(), -1)
      const rec = storage.run(`INSERT INTO docs_${collection.id} (doc) VALUES (?)`, bytes)
      for (const { index, entries } of all) {
        markMultikey(index, entries)
        addKeys(index, entries, rec)
      }
    },

    replace: (collection, { rec, doc: old }, doc, bytes) => {
      const changes = collection.indexes.map(index => {
        const [removed, added] = [entriesOf(index, old), entriesOf(index, doc)]
        markMultikey(index, added)
        for (const key of added.keys()) if (removed.delete(key)) added.delete(key)
        return { index, removed, added }
      })
      for (const { index, added } of changes) refuseDuplicates(collection, index, added.values(), rec)
      storage.run(`UPDATE docs_${collection.id} SET doc = ? WHERE rec = ?`, bytes, rec)
      for (const { index, added, removed } of changes) {
        removeKeys(index, removed, rec)
        addKeys(index, added, rec)
      }
    },

    remove: (collection, { rec, doc }) => {
      for (const index of collection.indexes) removeKeys(index, entriesOf(index, doc), rec)
      storage.run(`DELETE FROM docs_${collection.id} WHERE rec = ?`, rec)
    },

    index: (collection, index, { rec, doc }) => {
      const entries = entriesOf(index, doc)
      refuseDuplicates(collection, index, entries.values(), rec)
      markMultikey(index, entries)
      addKeys(index, entries, rec)
    },
  }
}

/** The keys of a document in one index, without repeats; none when the index leaves the document out. */
function entriesOf(index: Index, doc: Doc): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  const tuples = indexTuples(doc, index.paths)
  if (index.sparse && tuples.every(values => values.every(value => value === undefined))) return entries
  for (const values of tuples) {
    const key = compoundKey(values, index.directions)
    entries.set(key.toString('latin1'), { key, values })
  }
  return entries
}

/** MongoDB's error 11000, in the words that drivers and mongoose take apart. */
function duplicateKey(collection: Collection, index: Index, values: Value[]): CommandError {
  const keyValue = Object.fromEntries(
    index.paths.map((path, i) => [path, values[i] === EMPTY_ARRAY ? null : (values[i] ?? null)]),
  )
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${namespaceOf(collection)} index: ${index.name} dup key: ${JSON.stringify(keyValue)}`,
    { keyPattern: index.key, keyValue },
  )
}
