import { serialize } from 'bson'
import { readFilter } from '../query/filter.ts'
import { docsOfKeys } from '../query/planner.ts'
import { readProjection } from '../query/projection.ts'
import { countOf, scan } from '../query/scan.ts'
import { readSort } from '../query/sort.ts'
import type { Collection } from '../store/catalog.ts'
import { notImplemented } from '../store/errors.ts'
import { field } from '../store/paths.ts'
import type { Storage } from '../store/storage.ts'
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

/** Serves an optional `$match` and `$limit`, then one `$group` of sums by nothing or a field: counts and statistics. */
export function aggregate(engine: Engine, body: Doc): Uint8Array {
  const stages = Array.isArray(body.pipeline) ? body.pipeline : []
  const names = stages.map(stage => (isDoc(stage) ? Object.keys(stage).join() : '')).join(', ')
  const { $match, $limit, $group } = Object.assign({}, ...stages)
  const { _id, ...sums } = isDoc($group) ? $group : {}
  const isServed =
    (_id === null || typeof _id === 'number' || isField(_id)) && Object.values(sums).every(isSum)
  if (!/^(\$match, )?(\$limit, )?\$group$/.test(names) || !isServed)
    throw notImplemented(`the pipeline of ${names}`)
  const collection = existing(engine, body)
  const [filter, limit] = [readFilter($match), count($limit, Number.POSITIVE_INFINITY)]
  const entries = Object.entries(sums as Record<string, { $sum: number | string }>)
  const fields = [_id, ...entries.map(([, { $sum }]) => $sum)].filter(isField).map(name => name.slice(1))
  const groupOf = (_id: Value, docs: Doc[], times = docs.length) =>
    serialize({
      _id,
      ...Object.fromEntries(entries.map(([name, { $sum }]) => [name, sumOf($sum, docs, times)])),
    })
  const answer = (groups: Uint8Array[]) =>
    openCursor(engine, body, groups, isDoc(body.cursor) ? body.cursor : {})
  if (!collection) return answer([])
  if (fields.length === 0) {
    // Constants need no document: `{ _id: 1, n: { $sum: 1 } }` is what drivers make of countDocuments.
    const times = countOf(engine.storage, collection, filter, limit)
    return answer(times > 0 ? [groupOf(_id, [], times)] : [])
  }
  const keyOfGroup = isField(_id) ? (doc: Doc) => simple(field(doc, _id.slice(1)) ?? null) : () => _id
  const docs = matching(engine.storage, collection, filter, limit, fields)
  return answer([...Map.groupBy(docs, keyOfGroup)].map(([key, some]) => groupOf(key, some)))
}

/** Reads fields from an index where one has them all. */
function matching(
  storage: Storage,
  collection: Collection,
  filter: Doc,
  limit: number,
  fields: string[],
): Doc[] {
  const docs = limit === Number.POSITIVE_INFINITY && docsOfKeys(storage, collection, filter, fields)
  return docs || Array.from(scan(storage, collection, { filter, limit }), ({ doc }) => doc)
}

/** Sums a constant or a field; anything but numbers counts as 0. */
function sumOf(of: number | string, docs: Doc[], times: number): number {
  if (typeof of === 'number') return of * times
  const name = of.slice(1)
  return docs.reduce((sum, doc) => sum + (typeof doc[name] === 'number' ? doc[name] : 0), 0)
}

/** Groups are distinguished by identity. */
function simple(value: Value): Value {
  if (value !== null && typeof value === 'object') throw notImplemented('groups by dates, ids or documents')
  return value
}

const isField = (value: Value): value is string => typeof value === 'string' && /^\$[^$.]+$/.test(value)

/** Whether it sums up a constant, or a field as `$name`. */
function isSum(value: Value): boolean {
  const of = isDoc(value) && Object.keys(value).join() === '$sum' ? value.$sum : undefined
  return typeof of === 'number' || isField(of)
}
