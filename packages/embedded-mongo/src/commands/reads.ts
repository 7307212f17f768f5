import { serialize } from 'bson'
import { notImplemented } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { field } from '../paths.ts'
import { readProjection } from '../projection.ts'
import { countOf, scan } from '../scan.ts'
import { readSort } from '../sort.ts'
import { type Doc, isDoc, type Value } from '../values.ts'
import { count, type Engine, existing, openCursor } from './command.ts'

export function find(engine: Engine, body: Doc): Uint8Array {
  const query = {
    filter: readFilter(body.filter),
    sort: readSort(body.sort),
    skip: count(body.skip, 0),
    limit: count(body.limit, 0) || Number.POSITIVE_INFINITY,
    patience: engine.patience,
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

/** Takes `$match` (or none), perhaps `$limit`, then one `$group` of sums over everything; so what counts are made of. */
export function aggregate(engine: Engine, body: Doc): Uint8Array {
  const stages = Array.isArray(body.pipeline) ? body.pipeline : []
  const names = stages.map(stage => (isDoc(stage) ? Object.keys(stage).join() : '')).join(', ')
  if (!/^(\$match, )?(\$limit, )?\$group$/.test(names)) throw notImplemented(`the pipeline of ${names}`)
  const { $match, $limit, $group } = Object.assign({}, ...stages)
  const query = { filter: readFilter($match), limit: count($limit, Number.MAX_SAFE_INTEGER) }
  const group = summedUp(engine, body, query, readGroup($group))
  const encoded = group ? [serialize(group)] : []
  return openCursor(engine, body, encoded, isDoc(body.cursor) ? body.cursor : {})
}

/** By name what is summed up: a constant, or a field as `$name`. The `_id` is a constant, which comes back. */
function readGroup(group: Value) {
  const { _id, ...others } = isDoc(group) ? group : {}
  const sums = Object.entries(others).map(([name, value]): [string, number | string] => {
    const of = isDoc(value) && Object.keys(value).join() === '$sum' ? value.$sum : undefined
    if (typeof of === 'number' || (typeof of === 'string' && /^\$[^$.]+$/.test(of))) return [name, of]
    throw notImplemented(`'${name}' of a group`)
  })
  if (_id !== null && typeof _id !== 'number') throw notImplemented('a group by anything')
  return { _id, sums }
}

/** The sums over all that match; undefined when nothing does. */
function summedUp(
  engine: Engine,
  body: Doc,
  query: { filter: Doc; limit: number },
  { _id, sums }: ReturnType<typeof readGroup>,
) {
  const collection = existing(engine, body)
  if (!collection) return undefined
  // Constants need no document: `{ _id: 1, n: { $sum: 1 } }` is what drivers make of countDocuments.
  const isCount = sums.every(([, of]) => typeof of === 'number')
  const docs = isCount ? [] : Array.from(scan(engine.storage, collection, query), ({ doc }) => doc)
  const times = isCount ? countOf(engine.storage, collection, query.filter, query.limit) : docs.length
  const sumOf = (of: number | string): number => {
    if (typeof of === 'number') return of * times
    // What is no number counts as nothing.
    const numbers = docs.map(doc => field(doc, of.slice(1))).filter(value => typeof value === 'number')
    return numbers.reduce((sum, value) => sum + value, 0)
  }
  return times > 0 ? { _id, ...Object.fromEntries(sums.map(([name, of]) => [name, sumOf(of)])) } : undefined
}
