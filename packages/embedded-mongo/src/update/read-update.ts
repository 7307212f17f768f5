import { badValue, CommandError, failedToParse, notImplemented } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { type Doc, isDoc, type Value } from '../values.ts'
import { checkArrayOperand } from './array-operators.ts'
import { operators } from './operators.ts'

/** One operator on one path, such as `$inc` of `visits` by 1. */
export type Change = { operator: string; path: string; operand: Value }

export type Update = { replacement: Doc } | { changes: Change[]; arrayFilters: Map<string, Doc> }

/** Checks an update as it came from the client. Pipelines are refused: what they compute can't be indexed here. */
export const readUpdate = (update: Value, arrayFilters: Value, multi: boolean): Update => {
  if (Array.isArray(update)) throw notImplemented('an update by an aggregation pipeline')
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array')
  const names = Object.keys(update)
  if (!names[0]?.startsWith('$')) return readReplacement(update, names, multi)
  const filters = readArrayFilters(arrayFilters)
  const changes = names.flatMap(operator => changesOf(operator, update[operator]))
  refuseConflicts(changes)
  refuseUnknownIdentifiers(changes, filters)
  return { changes: changes.sort(byPath), arrayFilters: filters }
}

const readReplacement = (replacement: Doc, names: string[], multi: boolean): Update => {
  const dollar = names.find(name => name.startsWith('$'))
  if (dollar)
    throw new CommandError(
      52,
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    )
  if (multi) throw failedToParse('multi update is not supported for replacement-style update')
  return { replacement }
}

const changesOf = (operator: string, fields: Value): Change[] => {
  if (operator === '$bit') throw notImplemented('the update operator $bit')
  if (!(operator in operators))
    throw failedToParse(
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    )
  if (!isDoc(fields))
    throw failedToParse(
      `Modifiers operate on fields but we found type ${Array.isArray(fields) ? 'array' : typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${String(fields)}}`,
    )
  return Object.entries(fields).map(([path, operand]) => {
    checkPath(path)
    return { operator, path, operand: checkArrayOperand(operator, operand) }
  })
}

const checkPath = (path: string) => {
  if (path === '') throw new CommandError(56, 'An empty update path is not valid.')
  const parts = path.split('.')
  if (parts.includes(''))
    throw new CommandError(
      56,
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    )
  if (parts[0]!.startsWith('$'))
    throw new CommandError(
      52,
      `The dollar ($) prefixed field '${parts[0]}' in '${path}' is not valid for storage.`,
    )
}

/** No two changes may touch the same path, or one a part of what the other touches. */
const refuseConflicts = (changes: Change[]) => {
  const paths = changes.flatMap(({ operator, path, operand }) =>
    operator === '$rename' ? [path, String(operand)] : [path],
  )
  const sorted = paths.toSorted()
  for (const path of sorted) {
    const clash = sorted.some((other, i) =>
      other === path ? sorted.indexOf(path) !== i : other.startsWith(`${path}.`),
    )
    if (clash) throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${path}'`)
  }
}

/** MongoDB applies changes, and so adds new fields, in the order of their names. */
const byPath = (a: Change, b: Change) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

/** `[{ 'item.n': 5 }]` → `item` → a filter on documents `{ item: … }`. */
const readArrayFilters = (value: Value): Map<string, Doc> => {
  const filters = new Map<string, Doc>()
  if (value === undefined || value === null) return filters
  if (!Array.isArray(value)) throw failedToParse('arrayFilters must be an array')
  for (const item of value) {
    const filter = readFilter(item, 'arrayFilters')
    const names = identifiersOf(filter)
    const [name] = names
    if (!name || names.size > 1)
      throw failedToParse('Each array filter must use exactly one top-level field name')
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`)
    filters.set(name, filter)
  }
  return filters
}

const identifiersOf = (filter: Doc): Set<string> =>
  new Set(
    Object.entries(filter).flatMap(([key, value]) =>
      key.startsWith('$') && Array.isArray(value)
        ? value.flatMap(part => [...identifiersOf(part as Doc)])
        : [key.split('.')[0]!],
    ),
  )

const refuseUnknownIdentifiers = (changes: Change[], filters: Map<string, Doc>) => {
  const used = new Set(
    changes.flatMap(({ path }) => [...path.matchAll(/\$\[([^\]]+)\]/g)].map(match => match[1]!)),
  )
  for (const name of used)
    if (!filters.has(name)) throw badValue(`No array filter found for identifier '${name}' in path`)
  for (const name of filters.keys())
    if (!used.has(name))
      throw failedToParse(`The array filter for identifier '${name}' was not used in the update`)
}
