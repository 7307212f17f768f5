import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  BSONType,
  Code,
  calculateObjectSize,
  Decimal128,
  Double,
  deserialize,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson'
import { CommandError } from './errors.ts'

export type Value = unknown
export type Doc = Record<string, Value>

/** Bytes; MongoDB's limit for one document. */
export const maxDocumentBytes = 16 * 1024 * 1024

/** Longs that a number can hold become numbers; binaries and regular expressions stay as they are in BSON. */
export const decode = (bytes: Uint8Array): Doc =>
  deserialize(bytes, { promoteBuffers: false, bsonRegExp: true, promoteLongs: true }) as Doc

/** Throws BSONObjectTooLarge (10334) for a document over 16 MB. */
export const encodeStored = (doc: Doc): Uint8Array => {
  const bytes = calculateObjectSize(doc, { ignoreUndefined: false })
  if (bytes > maxDocumentBytes) throw tooLarge(bytes)
  return serialize(doc, { ignoreUndefined: false })
}

const tooLarge = (bytes: number) =>
  new CommandError(
    10334,
    `BSONObj size: ${bytes} (0x${bytes.toString(16).toUpperCase()}) is invalid. Size must be between 0 and ${maxDocumentBytes}(16MB)`,
  )

/** An embedded document: not an array, a date or one of BSON's own types. */
export const isDoc = (value: Value): value is Doc =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

export const isNumeric = (value: Value): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  value instanceof Int32 ||
  value instanceof Double ||
  value instanceof Decimal128 ||
  (value instanceof Long && !(value instanceof Timestamp))

/** The plain number behind a numeric option such as `limit`, `batchSize` or `1`; undefined when it is none. */
export const plainNumber = (value: Value): number | undefined => {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Int32 || value instanceof Double) return value.value
  if (value instanceof Long && !(value instanceof Timestamp)) return value.toNumber()
  if (value instanceof Decimal128) return Number(value.toString())
  return undefined
}

/** MongoDB reads 1, 1.0, true as yes, and 0, false, null and a missing field as no. */
export const isTruthy = (value: Value): boolean => {
  const number = plainNumber(value)
  return number === undefined ? value !== undefined && value !== null && value !== false : number !== 0
}

/** MongoDB's name of a value's type, as `$type` takes it and as error messages show it. */
export const typeName = (value: Value): string => {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double'
  if (typeof value === 'bigint') return 'long'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Date) return 'date'
  if (value instanceof ObjectId) return 'objectId'
  if (value instanceof Binary) return 'binData'
  if (value instanceof Decimal128) return 'decimal'
  if (value instanceof Timestamp) return 'timestamp'
  if (value instanceof Long) return 'long'
  if (value instanceof Int32) return 'int'
  if (value instanceof Double) return 'double'
  if (value instanceof BSONRegExp || value instanceof RegExp) return 'regex'
  if (value instanceof BSONSymbol) return 'symbol'
  if (value instanceof Code) return value.scope ? 'javascriptWithScope' : 'javascript'
  if (value instanceof MinKey) return 'minKey'
  if (value instanceof MaxKey) return 'maxKey'
  return 'object'
}

const isInt32 = (value: number) => Number.isInteger(value) && (value | 0) === value && !Object.is(value, -0)

/** `$type` also takes BSON's numbers. */
export const typeNameOfNumber = (type: number): string | undefined => numberedTypes[type]

const numberedTypes: Record<number, string> = {
  [BSONType.double]: 'double',
  [BSONType.string]: 'string',
  [BSONType.object]: 'object',
  [BSONType.array]: 'array',
  [BSONType.binData]: 'binData',
  [BSONType.objectId]: 'objectId',
  [BSONType.bool]: 'bool',
  [BSONType.date]: 'date',
  [BSONType.null]: 'null',
  [BSONType.regex]: 'regex',
  [BSONType.javascript]: 'javascript',
  [BSONType.symbol]: 'symbol',
  [BSONType.int]: 'int',
  [BSONType.timestamp]: 'timestamp',
  [BSONType.long]: 'long',
  [BSONType.decimal]: 'decimal',
  [BSONType.minKey]: 'minKey',
  [BSONType.maxKey]: 'maxKey',
}
