import type { Catalog, Collection, Index } from './catalog.ts'
import { CommandError } from './errors.ts'
import { compareValues, compoundKey, EMPTY_ARRAY } from './keys.ts'
import { indexTuples } from './paths.ts'
import type { Storage } from './storage.ts'
import { type Doc, encodeStored, type Value } from './values.ts'

/** A stored document with its row number in `docs_<collection>`. */
export interface Stored {
  rec: number
  doc: Doc
  bytes: Uint8Array
}

/** A document's keys in an index, each with its values, by the keys' bytes as text. */
type Entries = Map<string, { key: Buffer; values: Value[] }>

/** Writes documents together with their keys in all indexes. */
export function createRecords(storage: Storage, catalog: Catalog) {
  /** Returns the keys to remove and to add. Throws if another document has one of them in a unique index. */
  function changeOf(
    collection: Collection,
    index: Index,
    before: Stored | undefined,
    after: Doc | undefined,
  ) {
    const removed: Entries = before ? entriesOf(index, before.doc) : new Map()
    const added: Entries = after ? entriesOf(index, after) : new Map()
    const arrays = arraysIn([...added.values()])
    for (const key of added.keys()) if (removed.delete(key)) added.delete(key)
    const known = `SELECT 1 FROM keys_${index.id} WHERE key = ? AND rec <> ? LIMIT 1`
    for (const { key, values } of index.unique ? added.values() : [])
      if (storage.get(known, key, before?.rec ?? -1)) throw duplicateKey(collection, index, values)
    return { index, removed, added, arrays }
  }

  function apply({ index, removed, added, arrays }: ReturnType<typeof changeOf>, rec: number): void {
    catalog.markArrays(index, arrays)
    for (const { key } of removed.values())
      storage.run(`DELETE FROM keys_${index.id} WHERE key = ? AND rec = ?`, key, rec)
    for (const { key } of added.values())
      storage.run(`INSERT INTO keys_${index.id} (key, rec) VALUES (?, ?)`, key, rec)
  }

  function store({ id }: Collection, before: Stored | undefined, bytes: Uint8Array | undefined): number {
    if (!before) return storage.run(`INSERT INTO docs_${id} (doc) VALUES (?)`, bytes!)
    if (bytes) storage.run(`UPDATE docs_${id} SET doc = ? WHERE rec = ?`, bytes, before.rec)
    else storage.run(`DELETE FROM docs_${id} WHERE rec = ?`, before.rec)
    return before.rec
  }

  return {
    /** Replaces `before`; without `before` inserts, without `after` deletes. Returns whether anything changed. */
    write(collection: Collection, before: Stored | undefined, after: Doc | undefined): boolean {
      const bytes = after && encodeStored(after)
      if (before && bytes && Buffer.compare(bytes, before.bytes) === 0) return false
      // An update only touches indexes whose fields it changes.
      const isTouched = ({ fields }: Index) =>
        !before || !after || fields.some(name => before.doc[name] !== after[name])
      const changes = collection.indexes
        .filter(isTouched)
        .map(index => changeOf(collection, index, before, after))
      const rec = store(collection, before, bytes)
      for (const change of changes) apply(change, rec)
      return true
    },
    /** Adds one document to a new index. */
    index(collection: Collection, index: Index, { rec, doc }: Stored): void {
      apply(changeOf(collection, index, undefined, doc), rec)
    },
  }
}

/** Returns the paths at which a document's entries differ, as bits of an index's `arrays`. */
function arraysIn([first, ...others]: { values: Value[] }[]): number {
  const differs = (at: number) =>
    others.some(({ values: { [at]: one } }) => {
      const other = first!.values[at]
      return one !== other && compareValues(one, other) !== 0
    })
  return first ? first.values.reduce<number>((bits, _, at) => bits | (differs(at) ? 1 << at : 0), 0) : 0
}

/** Returns a document's keys in one index, without repeats; none if the index leaves the document out. */
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

/** Creates MongoDB's error 11000, in the format that drivers and mongoose parse. */
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
