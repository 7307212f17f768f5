import { type Collection, openCatalog } from '../store/catalog.ts'
import { badValue, CommandError, typeMismatch } from '../store/errors.ts'
import { createRecords } from '../store/records.ts'
import type { Storage } from '../store/storage.ts'
import { type Doc, isDoc, type Value } from '../store/values.ts'
import { createCursors } from './cursors.ts'

export type Engine = ReturnType<typeof engineOver>

export function engineOver(storage: Storage) {
  const catalog = openCatalog(storage)
  return {
    storage,
    catalog,
    records: createRecords(storage, catalog),
    cursors: createCursors(),
    /** Time of the last `scrub` command, on the monotonic clock; undefined once that is done. */
    scrubAskedAt: undefined as number | undefined,
  }
}

/** Returns `<database>.<collection>` of a command, whose first field names the collection. */
export function namespaceOf(body: Doc): string {
  const [name] = Object.values(body)
  if (typeof name !== 'string') throw typeMismatch('the name of a collection is a text')
  return `${body.$db}.${name}`
}

export function existing({ catalog }: Engine, body: Doc): Collection | undefined {
  return catalog.find(namespaceOf(body))
}

/** Refuses unsupported fields of a command or of one of its statements. */
export function checkFields(name: string, statement: Doc, fields: readonly string[]): void {
  const unknown = Object.keys(statement).find(field => !fields.includes(field))
  if (unknown) throw new CommandError(40415, `BSON field '${name}.${unknown}' is an unknown field here.`)
}

/** Returns a whole number that is not negative, or `fallback` if the field is missing. */
export function count(value: Value, fallback: number): number {
  if (value === undefined) return fallback
  if (!Number.isInteger(value) || (value as number) < 0) throw badValue(`${value} is not a whole number >= 0`)
  return value as number
}

export function listOf(body: Doc, name: string): Doc[] {
  const value = body[name]
  if (!Array.isArray(value) || !value.every(isDoc))
    throw typeMismatch(`'${name}' must be an array of objects`)
  return value
}

const FIRST_BATCH_SIZE = 101

/** Encodes the first batch; `options` may contain its size. */
export function openCursor({ cursors }: Engine, body: Doc, docs: Uint8Array[], options: Doc) {
  return cursors.open(namespaceOf(body), docs, count(options.batchSize, FIRST_BATCH_SIZE))
}
