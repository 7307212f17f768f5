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
  const { $match, $limit, $group } = Object.assign({}, ...stages)
  const { _id, ...sums } = isDoc($group) ? $group : {}
  const isServed = (_id === null || typeof _id === 'number') && Object.values(sums).every(isSum)
  if (!/^(\$match, )?(\$limit, )?\$group$/.test(names) || !isServed)
    throw notImplemented(`the pipeline of ${names}`)
  const collection = existing(engine, body)
  const [filter, limit] = [readFilter($match), count($limit, Number.MAX_SAFE_INTEGER)]
  const entries = Object.entries(sums as Record<string, { $sum: number | string }>)
  // Constants need no document: `{ _id: 1, n: { $sum: 1 } }` is what drivers make of countDocuments.
  const isCount = entries.every(([, { $sum }]) => typeof $sum === 'number')
  const found = collection && !isCount ? scan(engine.storage, collection, { filter, limit }) : []
  const docs = Array.from(found, ({ doc }) => doc)
  const times = collection && isCount ? countOf(engine.storage, collection, filter, limit) : docs.length
  const sumOf = (of: number | string): number => {
    if (typeof of === 'number') return of * times
    // What is no number counts as nothing.
    const numbers = docs.map(doc => field(doc, of.slice(1))).filter(value => typeof value === 'number')
    return numbers.reduce((sum, value) => sum + value, 0)
  }
  const group = { _id, ...Object.fromEntries(entries.map(([name, { $sum }]) => [name, sumOf($sum)])) }
  return openCursor(engine, body, times > 0 ? [serialize(group)] : [], isDoc(body.cursor) ? body.cursor : {})
}

/** Whether it sums up a constant, or a field as `$name`. */
function isSum(value: Value): boolean {
  const of = isDoc(value) && Object.keys(value).join() === '$sum' ? value.$sum : undefined
  return typeof of === 'number' || (typeof of === 'string' && /^\$[^$.]+$/.test(of))
}
