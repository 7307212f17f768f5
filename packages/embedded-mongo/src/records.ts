import type { Catalog, Collection, Index } from './catalog.ts'
import { CommandError } from './errors.ts'
import { compoundKey, EMPTY_ARRAY } from './keys.ts'
import { indexTuples } from './paths.ts'
import type { Storage } from './storage.ts'
import { type Doc, encodeStored, type Value } from './values.ts'

/** A stored document with its row in `docs_<collection>`. */
export interface Stored {
  rec: number
  doc: Doc
  bytes: Uint8Array
}

/** The keys of one document in one index, by their bytes as text, with the values of which they are made. */
type Entries = Map<string, { key: Buffer; values: Value[] }>

/** Keeps documents and the keys of all indexes in step. */
export function createRecords(storage: Storage, catalog: Catalog) {
  function refuseDuplicates(collection: Collection, index: Index, entries: Entries, rec: number) {
    if (!index.unique) return
    for (const { key, values } of entries.values())
      if (storage.get(`SELECT 1 FROM keys_${index.id} WHERE key = ? AND rec <> ? LIMIT 1`, key, rec))
        throw duplicateKey(collection, index, values)
  }

  /** Brings indexes from one document to another around `store`, which gives the row. Duplicates are found before it. */
  function reindex(
    collection: Collection,
    before: Stored | undefined,
    after: Doc | undefined,
    store: () => number,
  ) {
    const changes = collection.indexes.map(index => {
      const removed: Entries = before ? entriesOf(index, before.doc) : new Map()
      const added: Entries = after ? entriesOf(index, after) : new Map()
      const isMultikey = added.size > 1
      for (const key of added.keys()) if (removed.delete(key)) added.delete(key)
      return { index, removed, added, isMultikey }
    })
    for (const { index, added } of changes) refuseDuplicates(collection, index, added, before?.rec ?? -1)
    const rec = store()
    for (const { index, removed, added, isMultikey } of changes) {
      if (isMultikey) catalog.markMultikey(index)
      for (const { key } of removed.values())
        storage.run(`DELETE FROM keys_${index.id} WHERE key = ? AND rec = ?`, key, rec)
      for (const { key } of added.values())
        storage.run(`INSERT INTO keys_${index.id} (key, rec) VALUES (?, ?)`, key, rec)
    }
  }

  return {
    /** Stores a document in the place of another: of none a new one, `after` none if it goes. Returns whether it is another one. */
    write(collection: Collection, before: Stored | undefined, after: Doc | undefined): boolean {
      const bytes = after && encodeStored(after)
      if (before && bytes && Buffer.compare(bytes, before.bytes) === 0) return false
      const docs = `docs_${collection.id}`
      reindex(collection, before, after, () => {
        if (!before) return storage.run(`INSERT INTO ${docs} (doc) VALUES (?)`, bytes!)
        if (bytes) storage.run(`UPDATE ${docs} SET doc = ? WHERE rec = ?`, bytes, before.rec)
        else storage.run(`DELETE FROM ${docs} WHERE rec = ?`, before.rec)
        return before.rec
      })
      return true
    },
    /** Puts one document into a new index. */
    index(collection: Collection, index: Index, { rec, doc }: Stored): void {
      reindex({ ...collection, indexes: [index] }, undefined, doc, () => rec)
    },
  }
}

/** The keys of a document in one index, without repeats; none when the index leaves the document out. */
function entriesOf(index: Index, doc: Doc): Entries {
  const tuples = indexTuples(doc, index.paths)
  if (index.sparse && tuples.every(values => values.every(value => value === undefined))) return new Map()
  return new Map(
    tuples.map(values => {
      const key = compoundKey(values, index.directions)
      return [key.toString('latin1'), { key, values }]
    }),
  )
}

/** MongoDB's error 11000, in the words that drivers and mongoose take apart. */
function duplicateKey(collection: Collection, index: Index, values: Value[]): CommandError {
  const keyValue = Object.fromEntries(
    index.paths.map((path, i) => [path, values[i] === EMPTY_ARRAY ? null : (values[i] ?? null)]),
  )
  const where = `${collection.namespace} index: ${index.name} dup key: ${JSON.stringify(keyValue)}`
  return new CommandError(11000, `E11000 duplicate key error collection: ${where}`, {
    keyPattern: index.key,
    keyValue,
  })
}
