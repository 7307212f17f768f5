import { badValue, CommandError } from '../errors.ts'
import { compileFilter } from '../expressions.ts'
import { field, isArrayIndex } from '../paths.ts'
import { matchedIndex } from '../positional.ts'
import { type Doc, isDoc, typeName, type Value } from '../values.ts'

/** A place in a document: a field of a document or an element of an array. */
export type Place = { value: Value; set: (value: Value) => void; unset: () => void }

export type Context = { filter: Doc; arrayFilters: Map<string, Doc> }

/** Turns `$`, `$[]` and `$[name]` in a path into the indexes they stand for in this document. */
export const concretePaths = (doc: Doc, path: string, context: Context): string[] => {
  if (!path.includes('$')) return [path]
  return expand(doc, doc, [], path.split('.'), context)
}

const expand = (doc: Doc, value: Value, walked: string[], rest: string[], context: Context): string[] => {
  const [part, ...others] = rest
  if (part === undefined) return [walked.join('.')]
  const indexes = indexesFor(doc, value, walked, part, context)
  return indexes.flatMap(index => {
    const next = Array.isArray(value) ? value[Number(index)] : field(value, index)
    return expand(doc, next, [...walked, index], others, context)
  })
}

const indexesFor = (doc: Doc, value: Value, walked: string[], part: string, context: Context): string[] => {
  if (part === '$') {
    const index = matchedIndex(doc, walked.join('.'), context.filter)
    if (index === undefined)
      throw badValue('The positional operator did not find the match needed from the query.')
    return [String(index)]
  }
  const name = /^\$\[(.*)\]$/.exec(part)?.[1]
  if (name === undefined) return [part]
  if (!Array.isArray(value))
    throw badValue(
      value === undefined
        ? `The path '${walked.join('.')}' must exist in the document in order to apply array updates.`
        : `Cannot apply array updates to non-array element ${walked.at(-1)}: ${String(value)}`,
    )
  const test = name === '' ? () => true : compileFilter(context.arrayFilters.get(name)!)
  return value.flatMap((item, i) => (test({ [name]: item }) ? [String(i)] : []))
}

/** MongoDB's limit on how far `$set` of an index may fill an array up with nulls. */
const maxPadding = 1_500_000

/**
 * The place at a path, without wildcards; `create` adds the documents on the way. Undefined when it isn't there and
 * need not be, PathNotViable (28) when something on the way is neither document nor array.
 */
export const locate = (doc: Doc, path: string, create: boolean): Place | undefined => {
  const parts = path.split('.')
  let holder: Value = doc
  for (const part of parts.slice(0, -1)) {
    let next = childOf(holder, part)
    if (next === undefined) {
      if (!create) return undefined
      next = {}
      put(holder, part, next)
    }
    holder = next
  }
  const last = parts.at(-1)!
  if (!canHold(holder, last)) {
    if (!create) return undefined
    throw notViable(holder, parts)
  }
  return {
    value: childOf(holder, last),
    set: value => put(holder, last, value),
    // An element can't be taken out without moving the others, so it becomes null.
    unset: () => (Array.isArray(holder) ? put(holder, last, null) : delete (holder as Doc)[last]),
  }
}

const canHold = (holder: Value, part: string) =>
  isDoc(holder) || (Array.isArray(holder) && isArrayIndex(part))

const childOf = (holder: Value, part: string): Value =>
  Array.isArray(holder) ? (isArrayIndex(part) ? holder[Number(part)] : undefined) : field(holder, part)

const put = (holder: Value, part: string, value: Value) => {
  if (isDoc(holder)) {
    if (part === '__proto__') throw badValue("the field name '__proto__' is not supported")
    holder[part] = value
    return
  }
  if (!Array.isArray(holder) || !isArrayIndex(part)) throw notViable(holder, [part])
  const index = Number(part)
  if (index > holder.length + maxPadding)
    throw badValue(`can't backfill array to larger than ${maxPadding} elements`)
  while (holder.length < index) holder.push(null)
  holder[index] = value
}

const notViable = (holder: Value, parts: string[]) => {
  const around = parts.at(-2) ?? ''
  const shown =
    typeof holder === 'string' ? JSON.stringify(holder) : Array.isArray(holder) ? '[]' : String(holder)
  return new CommandError(
    28,
    `Cannot create field '${parts.at(-1)}' in element {${around}: ${shown}} (type ${typeName(holder)})`,
  )
}
