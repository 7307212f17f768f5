import { deserialize, serialize } from 'bson'
import { CommandError } from './errors.ts'

export type Value = unknown
export type Doc = Record<string, Value>

/** MongoDB's limit for one document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

/** MongoDB's `maxMessageSizeBytes`. */
export const MAX_MESSAGE_BYTES = 48_000_000

/** Decodes BSON. Longs that fit a number become numbers; binaries and regular expressions keep their BSON types. */
export function decode(bytes: Uint8Array): Doc {
  return deserialize(bytes, { promoteBuffers: false, bsonRegExp: true, promoteLongs: true }) as Doc
}

/** Throws BSONObjectTooLarge (10334) for a document over 16 MB. */
export function encodeStored(doc: Doc): Uint8Array {
  try {
    const bytes = serialize(doc, { ignoreUndefined: false })
    if (bytes.length <= MAX_DOCUMENT_BYTES) return bytes
  } catch (error) {
    // The document did not fit into the buffer of 17 MB in which documents are written.
    if (!(error instanceof RangeError)) throw error
  }
  throw new CommandError(10334, `BSONObj size is invalid, over ${MAX_DOCUMENT_BYTES}`)
}

/** Whether a value is an embedded document: not an array, a date or one of BSON's own types. */
export function isDoc(value: Value): value is Doc {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

export function encodeReply(reply: Doc): Uint8Array {
  return serialize(reply, { ignoreUndefined: true })
}

/** Returns the first bytes of a document with these parts: its size. */
export function sizeOf(parts: Uint8Array[]): Buffer {
  const size = Buffer.allocUnsafe(4)
  size.writeInt32LE(4 + parts.reduce((sum, part) => sum + part.length, 0))
  return size
}
