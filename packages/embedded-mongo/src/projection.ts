import { CommandError, notImplemented } from './errors.ts'
import { type Doc, isDoc, type Value } from './values.ts'

/** Turns a client's projection into a function; undefined when all fields are wanted. */
export function readProjection(projection: Value = {}): ((doc: Doc) => Doc) | undefined {
  const isServed = ([name, wanted]: [string, Value]) =>
    !/[.$]/.test(name) && ['boolean', 'number'].includes(typeof wanted)
  if (!isDoc(projection) || !Object.entries(projection).every(isServed))
    throw notImplemented('a projection of anything but whole fields')
  if (Object.keys(projection).length === 0) return undefined
  const { _id = true, ...others } = projection
  const kinds = new Set(Object.values(others).map(Boolean))
  if (kinds.size > 1) throw new CommandError(31254, 'Cannot do exclusion in inclusion projection')
  // `{ _id: 1 }` alone keeps, `{ _id: 0 }` alone leaves out.
  const isInclusion = kinds.size > 0 ? kinds.has(true) : _id
  const isShown = (name: string) => (name === '_id' ? _id : Object.hasOwn(others, name) === isInclusion)
  return doc => Object.fromEntries(Object.entries(doc).filter(([name]) => isShown(name)))
}
