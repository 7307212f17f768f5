import { ObjectId, serialize } from 'bson'
import { notImplemented } from './errors.ts'
import { isDoc, type Value } from './values.ts'

/** First byte of a key (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/). */
export const TYPE = {
  emptyArray: 0x08, // an empty array has no element to index; MongoDB sorts it before null
  null: 0x10,
  number: 0x20,
  string: 0x30,
  object: 0x40,
  array: 0x50,
  objectId: 0x70,
  boolean: 0x80,
  date: 0x90,
} as const

/** An empty array among a document's indexed values. */
export const EMPTY_ARRAY = Symbol('empty array')

/** Returns bytes in MongoDB's order of values; no key begins another. Documents and arrays only have some order. */
export function keyOf(value: Value): Buffer {
  if (typeof value === 'string') return keyFrom(TYPE.string, textBytes(value), TEXT_END)
  if (value === null || value === undefined) return keyFrom(TYPE.null)
  if (typeof value === 'boolean') return keyFrom(TYPE.boolean, Buffer.from([value ? 1 : 0]))
  if (value === EMPTY_ARRAY) return keyFrom(TYPE.emptyArray)
  if (typeof value === 'number') return keyFrom(TYPE.number, numberKey(value))
  if (value instanceof Date) return keyFrom(TYPE.date, dateKey(value))
  if (Array.isArray(value)) return keyFrom(TYPE.array, serialize({ value }))
  if (value instanceof ObjectId) return keyFrom(TYPE.objectId, value.id)
  if (isDoc(value)) return keyFrom(TYPE.object, serialize({ value }))
  throw notImplemented(`comparing values of type ${(value as { _bsontype?: string })._bsontype}`)
}

function keyFrom(type: number, ...body: Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([type]), ...body])
}

export function typeOf(value: Value): number {
  return keyOf(value)[0]!
}

/** Decodes concatenated ascending keys one by one. */
export function readerOf(keys: Buffer) {
  let at = 0
  return {
    isAtEnd: () => at >= keys.length,
    /** Returns undefined for a key that can't be decoded, after which the reader is useless. */
    next(): Value {
      const type = keys[at++]
      if (type === TYPE.null) return null
      if (type === TYPE.boolean) return keys[at++] === 1
      const start = at
      if (type === TYPE.number) {
        at += 8
        return numberIn(keys, start)
      }
      const end = keys.indexOf(0, start)
      if (type !== TYPE.string || keys[end + 1] !== TEXT_END[1]) return undefined
      at = end + 2
      return keys.toString('utf8', start, end)
    },
  }
}

/** Returns the key of a field that is sorted in descending order. */
export function inverted(key: Buffer): Buffer {
  return Buffer.from(key.map(byte => ~byte))
}

/** Returns the key of a compound index entry; `directions` has 1 or -1 for each value, as in the index. */
export function compoundKey(values: readonly Value[], directions: readonly number[]): Buffer {
  return Buffer.concat(
    values.map((value, i) => (directions[i] === -1 ? inverted(keyOf(value)) : keyOf(value))),
  )
}

const TEXT_END = Buffer.from([0, 1])

/** Returns UTF-8 with 0x00 written as 0x00 0xff. The end is 0x00 0x01, so "a" sorts before "a\0" and before "ab". */
export function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  if (!bytes.includes(0)) return bytes
  return Buffer.from(Array.from(bytes, byte => (byte === 0 ? [0, 0xff] : [byte])).flat())
}

function dateKey(value: Date): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value.getTime()) + 2n ** 63n))
  return bytes
}

/** Flips the sign bit of positive numbers, and all bits of negative ones, so that bytes sort as numbers do. */
function numberKey(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  if (Number.isNaN(value)) return bytes // MongoDB puts NaN before every number
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  if (bytes[0]! & 0x80) return inverted(bytes)
  bytes[0] = bytes[0]! | 0x80
  return bytes
}

function numberIn(keys: Buffer, at: number): number {
  const [high, low] = [keys.readUInt32BE(at), keys.readUInt32BE(at + 4)]
  const isPositive = high >= 0x80000000
  halves.setUint32(0, isPositive ? high ^ 0x80000000 : ~high)
  halves.setUint32(4, isPositive ? low : ~low)
  return halves.getFloat64(0)
}

const halves = new DataView(new ArrayBuffer(8))

/** Compares two values in MongoDB's order. A missing field equals null, and the order of fields counts. */
export function compareValues(a: Value, b: Value): number {
  return Buffer.compare(keyOf(a), keyOf(b))
}
