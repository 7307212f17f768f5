import { scan } from '../query/scan.ts'
import type { Collection } from '../store/catalog.ts'
import { CommandError } from '../store/errors.ts'
import { type Doc, isDoc } from '../store/values.ts'
import { checkFields, type Engine, listOf, namespaceOf } from './command.ts'

const OPTIONS = ['key', 'name', 'v', 'background', 'unique', 'sparse', 'expireAfterSeconds']

function readSpec(asked: Doc): Doc {
  checkFields('createIndexes.indexes', asked, OPTIONS)
  const { key, name, unique, sparse, expireAfterSeconds } = asked
  const directions = Object.entries(isDoc(key) ? key : {})
  const isServed = directions.every(([path, to]) => (to === 1 || to === -1) && !path.includes('$'))
  if (!isServed || directions.length === 0 || (expireAfterSeconds !== undefined && directions.length > 1))
    throw new CommandError(67, 'An index has names of fields with 1 or -1, one that expires has one field')
  return {
    v: 2,
    key,
    name,
    ...(Boolean(unique) && { unique: true }),
    ...(Boolean(sparse) && { sparse: true }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  }
}

/** Whether the same index exists. Throws if its name or key exists with other options. */
function isKnown({ indexes }: Collection, spec: Doc): boolean {
  const isSame = (some: unknown, others: unknown) => JSON.stringify(some) === JSON.stringify(others)
  const known = indexes.find(({ name, key }) => name === spec.name || isSame(key, spec.key))
  if (!known || known.name === '_id_' || isSame(known.spec, spec)) return known !== undefined
  throw new CommandError(
    isSame(known.key, spec.key) ? 85 : 86,
    `The index exists in another form: ${JSON.stringify(known.spec)}`,
  )
}

export function createIndexes({ catalog, storage, records }: Engine, body: Doc): Doc {
  const specs = listOf(body, 'indexes').map(readSpec)
  const collection = catalog.ensure(namespaceOf(body))
  for (const spec of specs) {
    if (isKnown(collection, spec)) continue
    const index = catalog.addIndex(collection, spec)
    // Scans without indexes, as the new one exists but is still empty.
    const all = scan(storage, { ...collection, indexes: [] }, { filter: {} })
    for (const stored of all) records.index(collection, index, stored)
  }
  return { ok: 1 }
}

export function listIndexes({ catalog }: Engine, body: Doc): Doc {
  const ns = namespaceOf(body)
  const collection = catalog.find(ns)
  if (!collection) throw new CommandError(26, `There is no collection ${ns}`)
  return { cursor: { id: 0n, ns, firstBatch: collection.indexes.map(({ spec }) => spec) }, ok: 1 }
}
