import { badValue, CommandError, notImplemented } from './errors.ts'
import { type Doc, isDoc, isTruthy, type Value } from './values.ts'

/** Turns a client's projection into a function; undefined when all fields are wanted. */
export function readProjection(projection: Value): ((doc: Doc) => Doc) | undefined {
  if (projection === undefined || projection === null) return undefined
  if (!isDoc(projection)) throw badValue('projection must be a document')
  const refused = Object.entries(projection).find(
    ([name, wanted]) => /[.$]/.test(name) || !['boolean', 'number'].includes(typeof wanted),
  )
  if (refused) throw notImplemented(`the field '${refused[0]}' of a projection`)
  if (Object.keys(projection).length === 0) return undefined
  const { _id = true, ...others } = projection
  const kinds = new Set(Object.values(others).map(isTruthy))
  if (kinds.size > 1) throw new CommandError(31254, 'Cannot do exclusion in inclusion projection')
  // `{ _id: 1 }` alone keeps, `{ _id: 0 }` alone leaves out.
  const isInclusion = kinds.size > 0 ? kinds.has(true) : isTruthy(_id)
  const isShown = (name: string) =>
    name === '_id' ? isTruthy(_id) : Object.hasOwn(others, name) === isInclusion
  return doc => Object.fromEntries(Object.entries(doc).filter(([name]) => isShown(name)))
}
