import { serialize } from 'bson'
import type { Collection } from '../catalog.ts'
import { CommandError, notImplemented } from '../errors.ts'
import { scan } from '../scan.ts'
import { type Doc, isDoc } from '../values.ts'
import { type Engine, existing, listOf, namespaceOf, openCursor } from './command.ts'

/** An index as `listIndexes` will show it. */
function readSpec({
  key,
  name,
  v: _v,
  background: _none,
  unique,
  sparse,
  expireAfterSeconds: ttl,
  ...rest
}: Doc) {
  const [unknown] = Object.keys(rest)
  if (unknown) throw notImplemented(`the index option '${unknown}'`)
  const directions = Object.entries(isDoc(key) ? key : {})
  for (const [path, direction] of directions)
    if (typeof direction !== 'number' || path.includes('$'))
      throw notImplemented(`an index of '${path}' that is '${direction}'`)
  const isOrder = directions.every(([, direction]) => direction === 1 || direction === -1)
  if (!isOrder || directions.length === 0 || (ttl !== undefined && directions.length > 1))
    throw new CommandError(67, 'An index has names of fields with 1 or -1, one that expires has one field')
  return {
    v: 2,
    key,
    name,
    ...(Boolean(unique) && { unique: true }),
    ...(Boolean(sparse) && { sparse: true }),
    ...(ttl !== undefined && { expireAfterSeconds: ttl }),
  }
}

/** Whether the index is there in the same form; one with the same name or key in another form is an error. */
function isKnown({ indexes }: Collection, spec: Doc): boolean {
  const isSame = (some: unknown, others: unknown) => JSON.stringify(some) === JSON.stringify(others)
  const known = indexes.find(({ name, key }) => name === spec.name || isSame(key, spec.key))
  if (!known || known.name === '_id_' || isSame(known.spec, spec)) return known !== undefined
  const code = isSame(known.key, spec.key) ? 85 : 86
  throw new CommandError(code, `The index exists in another form: ${JSON.stringify(known.spec)}`)
}

export function createIndexes({ catalog, storage, records }: Engine, body: Doc): Doc {
  const specs = listOf(body, 'indexes').map(readSpec)
  const collection = catalog.ensure(namespaceOf(body))
  for (const spec of specs) {
    if (isKnown(collection, spec)) continue
    const index = catalog.addIndex(collection, spec)
    // The index is there, but empty.
    const all = scan(storage, { ...collection, indexes: [] }, { filter: {} })
    for (const stored of all) records.index(collection, index, stored)
  }
  return { ok: 1 }
}

export function listIndexes(engine: Engine, body: Doc): Uint8Array {
  const collection = existing(engine, body)
  if (!collection) throw new CommandError(26, `ns does not exist: ${namespaceOf(body)}`)
  const specs = collection.indexes.map(({ spec }) => serialize(spec))
  return openCursor(engine, body, specs, isDoc(body.cursor) ? body.cursor : {})
}

export function dropDatabase({ catalog }: Engine, { $db }: Doc): Doc {
  for (const collection of catalog.all())
    if (collection.namespace.startsWith(`${$db}.`)) catalog.drop(collection)
  return { ok: 1 }
}
