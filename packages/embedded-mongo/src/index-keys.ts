import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson'
import { numberKey } from './number-keys.ts'
import { type Doc, isNumeric, type Value } from './values.ts'

/**
 * The first byte of a key: MongoDB's order of types
 * (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/).
 */
export const typeOrder = {
  minKey: 0x05,
  emptyArray: 0x08, // an empty array has no element to index; MongoDB sorts it before null
  null: 0x10,
  number: 0x20,
  string: 0x30,
  object: 0x40,
  array: 0x50,
  binary: 0x60,
  objectId: 0x70,
  boolean: 0x80,
  date: 0x90,
  timestamp: 0xa0,
  regex: 0xb0,
  code: 0xc0,
  codeWithScope: 0xc8,
  maxKey: 0xf0,
} as const

/** Stands for "an empty array" where a document's indexed values are listed. */
export const emptyArray = Symbol('empty array')

export const typeOrderOf = (value: Value): number => {
  if (typeof value === 'string') return typeOrder.string
  if (value === null || value === undefined) return typeOrder.null
  if (typeof value === 'boolean') return typeOrder.boolean
  if (value === emptyArray) return typeOrder.emptyArray
  if (isNumeric(value)) return typeOrder.number
  if (value instanceof Date) return typeOrder.date
  if (Array.isArray(value)) return typeOrder.array
  if (value instanceof ObjectId) return typeOrder.objectId
  if (value instanceof Binary || value instanceof Uint8Array) return typeOrder.binary
  if (value instanceof Timestamp) return typeOrder.timestamp
  if (value instanceof BSONRegExp || value instanceof RegExp) return typeOrder.regex
  if (value instanceof BSONSymbol) return typeOrder.string
  if (value instanceof Code) return value.scope ? typeOrder.codeWithScope : typeOrder.code
  if (value instanceof MinKey) return typeOrder.minKey
  if (value instanceof MaxKey) return typeOrder.maxKey
  return typeOrder.object
}

/** Bytes whose order (memcmp) is MongoDB's order of values; no key is the beginning of another. */
export const keyOf = (value: Value): Buffer => {
  const type = typeOrderOf(value)
  return Buffer.concat([Buffer.from([type]), bodyOf(type, value)])
}

/** A key for a field that is sorted from high to low. */
export const inverted = (key: Buffer): Buffer => {
  const bytes = Buffer.allocUnsafe(key.length)
  for (let i = 0; i < key.length; i++) bytes[i] = ~key[i]! & 0xff
  return bytes
}

/** The key of a compound index entry: `directions` as in the index, 1 or -1 for each value. */
export const compoundKey = (values: readonly Value[], directions: readonly number[]): Buffer =>
  Buffer.concat(values.map((value, i) => (directions[i] === -1 ? inverted(keyOf(value)) : keyOf(value))))

const nothing = Buffer.alloc(0)
const end = Buffer.from([0])
const textEnd = Buffer.from([0, 1])

const bodyOf = (type: number, value: Value): Buffer => {
  switch (type) {
    case typeOrder.number:
      return numberKey(value)
    case typeOrder.string:
      return textKey(String(value))
    case typeOrder.object:
      return objectKey(value instanceof DBRef ? (value.toJSON() as unknown as Doc) : (value as Doc))
    case typeOrder.array:
      return Buffer.concat([...(value as Value[]).map(keyOf), end])
    case typeOrder.binary:
      return binaryKey(value as Binary | Uint8Array)
    case typeOrder.objectId:
      return Buffer.from((value as ObjectId).id)
    case typeOrder.boolean:
      return Buffer.from([value ? 1 : 0])
    case typeOrder.date:
      return orderedInt64(BigInt((value as Date).getTime()))
    case typeOrder.timestamp:
      return orderedInt64((value as Timestamp).toBigInt() - 2n ** 63n)
    case typeOrder.regex:
      return regexKey(value as BSONRegExp | RegExp)
    case typeOrder.code:
    case typeOrder.codeWithScope:
      return Buffer.concat([Buffer.from(serialize({ code: value })), end])
    default:
      return nothing
  }
}

/** UTF-8 with 0x00 written as 0x00 0xff, ended by 0x00 0x01: "a" sorts before "a\0" and before "ab". */
const textKey = (text: string): Buffer => escaped(Buffer.from(text, 'utf8'))

const escaped = (bytes: Buffer): Buffer => {
  if (!bytes.includes(0)) return Buffer.concat([bytes, textEnd])
  const escapedBytes = Array.from(bytes, byte => (byte === 0 ? [0, 0xff] : [byte])).flat()
  return Buffer.concat([Buffer.from(escapedBytes), textEnd])
}

/** MongoDB compares fields in their order: first the types, then the names, then the values. */
const objectKey = (doc: Doc): Buffer => {
  const fields = Object.entries(doc).map(([name, value]) =>
    Buffer.concat([Buffer.from([typeOrderOf(value)]), textKey(name), keyOf(value)]),
  )
  return Buffer.concat([...fields, end])
}

/** MongoDB compares the lengths first, then the subtypes, then the bytes. */
const binaryKey = (value: Binary | Uint8Array): Buffer => {
  const bytes = value instanceof Binary ? value.buffer.subarray(0, value.position) : value
  const head = Buffer.alloc(5)
  head.writeUInt32BE(bytes.length)
  head[4] = value instanceof Binary ? value.sub_type : 0
  return Buffer.concat([head, bytes])
}

const orderedInt64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value + 2n ** 63n))
  return bytes
}

const regexKey = (value: BSONRegExp | RegExp): Buffer =>
  value instanceof RegExp
    ? Buffer.concat([textKey(value.source), textKey(value.flags)])
    : Buffer.concat([textKey(value.pattern), textKey(value.options)])
