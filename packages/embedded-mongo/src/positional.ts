import { compileFilter } from './expressions.ts'
import { fieldAt } from './paths.ts'
import type { Doc, Value } from './values.ts'

/** The index of the first array element that lets the filter match; undefined when the filter doesn't ask for one. */
export const matchedIndex = (doc: Doc, path: string, filter: Doc): number | undefined => {
  const array = fieldAt(doc, path)
  if (!Array.isArray(array)) return undefined
  const concerning = conditionsOn(filter, path)
  if (Object.keys(concerning).length === 0) return undefined
  const test = compileFilter(concerning)
  const found = array.findIndex(item => test(wrapAt(path, [item])))
  return found === -1 ? undefined : found
}

const conditionsOn = (filter: Doc, path: string): Doc => {
  const concerning: Doc = {}
  for (const [key, value] of Object.entries(filter)) {
    if (key === path || key.startsWith(`${path}.`)) concerning[key] = value
    if (key === '$and') for (const part of value as Doc[]) Object.assign(concerning, conditionsOn(part, path))
  }
  return concerning
}

const wrapAt = (path: string, value: Value): Doc =>
  path.split('.').reduceRight<Value>((inner, part) => ({ [part]: inner }), value) as Doc
