import type { Catalog, Collection } from '../catalog.ts'
import type { Cursors } from '../cursors.ts'
import { badValue, CommandError, typeMismatch } from '../errors.ts'
import type { Records } from '../records.ts'
import type { Storage } from '../storage.ts'
import { type Doc, isDoc, isTruthy, type Value } from '../values.ts'

/** The state that commands work on. */
export interface Engine {
  storage: Storage
  catalog: Catalog
  records: Records
  cursors: Cursors
  /** How many documents a find may read before it is given up as TooLong. */
  patience?: number
}

export interface Command {
  /**
   * A write runs in the transaction of its group and is answered after its commit; a read runs where it holds up no
   * write.
   */
  kind: 'write' | 'read' | 'other'
  /** The fields it understands, besides those that every command may have. */
  fields: readonly string[]
  /** Gives a reply, or one that is BSON already. */
  run(engine: Engine, body: Doc, db: string): Doc | Uint8Array
}

/** Fields of any command. None of them changes what a single server answers, except those refused below. */
const EVERYWHERE = ['$db', '$clusterTime', '$readPreference', 'lsid', 'comment', 'maxTimeMS']

/** Refuses what this server would otherwise silently do differently. */
export function checkFields(name: string, command: Command, body: Doc): void {
  if ('txnNumber' in body || 'startTransaction' in body || 'autocommit' in body)
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos')
  const { writeConcern, readConcern, ...others } = body
  checkStatement(name, others, [name, ...command.fields, ...EVERYWHERE])
  const { w = 1 } = isDoc(writeConcern) ? writeConcern : {}
  if (w !== 0 && w !== 1 && w !== 'majority')
    throw badValue(`this server has no write concern w: ${String(w)}`)
  const { level = 'local' } = isDoc(readConcern) ? readConcern : {}
  if (!['local', 'available', 'majority'].includes(String(level)))
    throw badValue(`this server has no read concern '${String(level)}'`)
}

/** Refuses fields of a command or of one of its statements that are not understood. */
export function checkStatement(name: string, statement: Doc, fields: readonly string[]): void {
  const unknown = Object.keys(statement).find(field => !fields.includes(field))
  if (unknown) throw new CommandError(40415, `BSON field '${name}.${unknown}' is an unknown field here.`)
}

/** The collection's name in the command's first field. */
export function collectionName(body: Doc): string {
  const [name] = Object.values(body)
  if (typeof name !== 'string') throw typeMismatch('the name of a collection is a text')
  return name
}

export function existing({ catalog }: Engine, body: Doc, db: string): Collection | undefined {
  return catalog.find(db, collectionName(body))
}

/** A whole number that is not negative; `fallback` when the field is missing. */
export function count(name: string, value: Value, fallback: number): number {
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'number') throw typeMismatch(`BSON field '${name}' is not a number`)
  if (!Number.isInteger(value) || value < 0)
    throw badValue(`BSON field '${name}' must be a whole number >= 0, actual value '${value}'`)
  return value
}

export const MAX_WRITE_BATCH_SIZE = 100_000

export function listOf(body: Doc, name: string): Doc[] {
  const value = body[name]
  if (!Array.isArray(value) || !value.every(isDoc))
    throw typeMismatch(`BSON field '${name}' is missing or has the wrong type, expected an array of objects`)
  if (value.length === 0 || value.length > MAX_WRITE_BATCH_SIZE)
    throw badValue(`Write batch sizes must be between 1 and ${MAX_WRITE_BATCH_SIZE}. Got ${value.length}.`)
  return value
}

export function flag(body: Doc, name: string, fallback = false): boolean {
  return body[name] === undefined ? fallback : isTruthy(body[name])
}
