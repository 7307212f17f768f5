import { onDemand } from 'bson'
import { CommandError, notImplemented } from '../store/errors.ts'
import { isDoc, sizeOf, type Value } from '../store/values.ts'

/** Maps a document's bytes to those of the projected document, without decoding it. */
type Project = (bytes: Uint8Array) => Uint8Array

/** Parses a client's projection; undefined if it selects all fields. */
export function readProjection(projection: Value = {}): Project | undefined {
  const isServed = ([name, wanted]: [string, Value]) =>
    !/[.$]/.test(name) && ['boolean', 'number'].includes(typeof wanted)
  if (!isDoc(projection) || !Object.entries(projection).every(isServed))
    throw notImplemented('a projection of anything but whole fields')
  if (Object.keys(projection).length === 0) return undefined
  const { _id = true, ...others } = projection
  const kinds = new Set(Object.values(others).map(Boolean))
  if (kinds.size > 1) throw new CommandError(31254, 'Cannot do exclusion in inclusion projection')
  // `{ _id: 1 }` alone includes, `{ _id: 0 }` alone excludes.
  const isInclusion = kinds.size > 0 ? kinds.has(true) : _id
  const isShown = (name: string) => (name === '_id' ? _id : Object.hasOwn(others, name) === isInclusion)
  return bytes => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    // An element begins with its type, one byte before its name.
    const shown = Array.from(onDemand.parseToElements(buffer))
      .filter(([, at, length]) => isShown(buffer.toString('utf8', at, at + length)))
      .map(([, nameAt, , at, length]) => buffer.subarray(nameAt - 1, at + length))
    const parts = [...shown, Buffer.alloc(1)]
    return Buffer.concat([sizeOf(parts), ...parts])
  }
}
