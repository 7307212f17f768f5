import type { Catalog, Collection } from '../catalog.ts'
import type { Cursors } from '../cursors.ts'
import { badValue, CommandError, notImplemented, typeMismatch } from '../errors.ts'
import type { Records } from '../records.ts'
import type { Storage } from '../storage.ts'
import { type Doc, isDoc, isTruthy, plainNumber, typeName, type Value } from '../values.ts'

/** What commands work on. */
export type Engine = { storage: Storage; catalog: Catalog; records: Records; cursors: Cursors }

export type Command = {
  /** Runs in the transaction of its group and is answered after its commit. */
  writes?: boolean
  /** The fields it understands, besides those that every command may have. */
  fields: readonly string[]
  run: (engine: Engine, body: Doc, db: string) => Doc
}

/** Fields of any command. None of them changes what a single server answers, except those refused below. */
const everywhere = [
  '$db',
  '$clusterTime',
  '$readPreference',
  'lsid',
  'comment',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'txnNumber',
  'autocommit',
  'startTransaction',
]

/** Refuses what this server would otherwise silently do differently. */
export const checkFields = (name: string, command: Command, body: Doc): void => {
  if ('txnNumber' in body || 'startTransaction' in body || 'autocommit' in body)
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos')
  for (const field of Object.keys(body))
    if (field !== name && !command.fields.includes(field) && !everywhere.includes(field))
      throw new CommandError(40415, `BSON field '${name}.${field}' is an unknown field.`)
  checkWriteConcern(body.writeConcern)
  checkReadConcern(body.readConcern)
  refuseOptions(body)
}

const checkWriteConcern = (concern: Value) => {
  if (!isDoc(concern)) return
  const { w } = concern
  if (typeof w === 'number' && w > 1) throw badValue("cannot use 'w' > 1 when a host is not replicated")
  if (typeof w === 'string' && w !== 'majority')
    throw badValue("cannot use non-majority 'w' mode when a host is not replicated")
}

const checkReadConcern = (concern: Value) => {
  const level = isDoc(concern) ? concern.level : undefined
  if (level !== undefined && !['local', 'available', 'majority'].includes(String(level)))
    throw new CommandError(72, `read concern level ${String(level)} is not supported by embedded-mongo`)
}

/** Options that change the meaning of a command or of one of its statements. */
export const refuseOptions = (options: Doc): void => {
  const { collation } = options
  if (isDoc(collation) && Object.keys(collation).length > 0 && collation.locale !== 'simple')
    throw notImplemented('a collation other than simple')
  if (isDoc(options.let) && Object.keys(options.let).length > 0) throw notImplemented("the option 'let'")
}

/** The collection's name in the command's first field. */
export const collectionName = (body: Doc, command: string): string => {
  const name = body[command]
  if (typeof name !== 'string') throw typeMismatch(`collection name has invalid type ${typeName(name)}`)
  if (name === '' || name.includes('\0'))
    throw new CommandError(73, `Invalid namespace specified '${body.$db}.${name}'`)
  return name
}

export const existing = (
  { catalog }: Engine,
  body: Doc,
  command: string,
  db: string,
): Collection | undefined => catalog.find(db, collectionName(body, command))

/** A whole number that is not negative; `fallback` when the field is missing. */
export const count = (body: Doc, name: string, fallback: number): number => {
  const value = body[name]
  if (value === undefined || value === null) return fallback
  const number = plainNumber(value)
  if (number === undefined)
    throw typeMismatch(`BSON field '${name}' is the wrong type '${typeName(value)}', expected a number`)
  if (!Number.isInteger(number)) throw badValue(`BSON field '${name}' must be a whole number`)
  if (number < 0) throw badValue(`BSON field '${name}' value must be >= 0, actual value '${number}'`)
  return number
}

export const listOf = (body: Doc, name: string): Doc[] => {
  const value = body[name]
  if (!Array.isArray(value) || !value.every(isDoc))
    throw typeMismatch(`BSON field '${name}' is missing or has the wrong type, expected an array of objects`)
  if (value.length === 0 || value.length > maxWriteBatchSize)
    throw badValue(
      `Write batch sizes must be between 1 and ${maxWriteBatchSize}. Got ${value.length} operations.`,
    )
  return value
}

export const maxWriteBatchSize = 100_000

export const flag = (body: Doc, name: string, fallback = false): boolean =>
  body[name] === undefined ? fallback : isTruthy(body[name])
