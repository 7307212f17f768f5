import { serialize } from 'bson'
import { readFilter } from '../query/filter.ts'
import { type Table, tableOfKeys } from '../query/planner.ts'
import { readProjection } from '../query/projection.ts'
import { countOf, scan } from '../query/scan.ts'
import { readSort } from '../query/sort.ts'
import { notImplemented } from '../store/errors.ts'
import { field } from '../store/paths.ts'
import { type Doc, isDoc, type Value } from '../store/values.ts'
import { count, type Engine, existing, openCursor } from './command.ts'

export function find(engine: Engine, body: Doc): Uint8Array {
  const query = {
    filter: readFilter(body.filter),
    sort: readSort(body.sort),
    skip: count(body.skip, 0),
    limit: count(body.limit, 0) || Number.POSITIVE_INFINITY,
  }
  if (body.singleBatch && query.limit !== 1) throw notImplemented('a single batch of several documents')
  const project = readProjection(body.projection)
  const collection = existing(engine, body)
  const found: Uint8Array[] = []
  for (const { bytes } of collection ? scan(engine.storage, collection, query) : [])
    found.push(project ? project(bytes) : bytes)
  return openCursor(engine, body, found, body)
}

export function getMore({ cursors }: Engine, body: Doc): Uint8Array {
  return cursors.more(body.getMore as number, count(body.batchSize, 0) || Number.POSITIVE_INFINITY)
}

export function killCursors({ cursors }: Engine, body: Doc): Doc {
  for (const id of body.cursors as number[]) cursors.kill(id)
  return { ok: 1 }
}

/** Supports optional `$match` and `$limit`, then one `$group` of sums by nothing or a field: counts and statistics. */
export function aggregate(engine: Engine, body: Doc): Uint8Array {
  const stages = Array.isArray(body.pipeline) ? body.pipeline : []
  const stageNames = stages.map(stage => (isDoc(stage) ? Object.keys(stage).join() : '')).join(', ')
  const { $match, $limit, $group } = Object.assign({}, ...stages)
  const { _id, ...sums } = isDoc($group) ? $group : {}
  const isServed =
    (_id === null || typeof _id === 'number' || isField(_id)) && Object.values(sums).every(isSum)
  if (!/^(\$match, )?(\$limit, )?\$group$/.test(stageNames) || !isServed)
    throw notImplemented(`the pipeline of ${stageNames}`)
  const collection = existing(engine, body)
  const [filter, limit] = [readFilter($match), count($limit, Number.POSITIVE_INFINITY)]
  const names = Object.keys(sums)
  const terms = Object.values(sums as Record<string, { $sum: Term }>).map(({ $sum }) => $sum)
  const answer = (groups: Groups) => {
    const docs = [...groups].map(([_id, totals]) =>
      serialize({ _id, ...Object.fromEntries(totals.map((total, at) => [names[at], total])) }),
    )
    return openCursor(engine, body, docs, isDoc(body.cursor) ? body.cursor : {})
  }
  if (!collection) return answer(new Map())
  const fields = [_id, ...terms].filter(isField).map(name => name.slice(1))
  if (fields.length === 0) {
    // Constants need no document: drivers turn countDocuments into `{ _id: 1, n: { $sum: 1 } }`.
    const times = countOf(engine.storage, collection, filter, limit)
    return answer(new Map(times > 0 ? [[_id, terms.map(term => Number(term) * times)]] : []))
  }
  const inKeys = limit === Number.POSITIVE_INFINITY && tableOfKeys(engine.storage, collection, filter, fields)
  const found = Iterator.from(scan(engine.storage, collection, { filter, limit }))
  const stored = { fields, rows: found.map(({ doc }) => fields.map(name => field(doc, name))) }
  return answer((inKeys && summed(inKeys, _id, terms)) || summed(stored, _id, terms)!)
}

/** A constant, or a field as `$name`. */
type Term = number | string
type Groups = Map<Value, number[]>

/** Sums by a field or constant; values that aren't numbers count as 0. Returns undefined at an undefined row. */
function summed({ fields, rows }: Table, by: Value, terms: Term[]): Groups | undefined {
  const placeOf = (term: Value) => (isField(term) ? fields.indexOf(term.slice(1)) : undefined)
  const place = placeOf(by)
  const sums = terms.map(term => ({ term, place: placeOf(term) }))
  const groups: Groups = new Map()
  for (const row of rows) {
    if (!row) return undefined
    const group = place === undefined ? by : simple(row[place] ?? null)
    const totals = groups.get(group) ?? terms.map(() => 0)
    groups.set(group, totals)
    sums.forEach(({ term, place }, at) => {
      const value = place === undefined ? term : row[place]
      if (typeof value === 'number') totals[at]! += value
    })
  }
  return groups
}

/** Refuses objects, because groups are distinguished by identity. */
function simple(value: Value): Value {
  if (value !== null && typeof value === 'object') throw notImplemented('groups by dates, ids or documents')
  return value
}

const isField = (value: Value): value is string => typeof value === 'string' && /^\$[^$.]+$/.test(value)

/** Whether a value sums a constant, or a field as `$name`. */
function isSum(value: Value): boolean {
  const of = isDoc(value) && Object.keys(value).join() === '$sum' ? value.$sum : undefined
  return typeof of === 'number' || isField(of)
}
