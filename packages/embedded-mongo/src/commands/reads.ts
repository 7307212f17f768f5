import { serialize } from 'bson'
import { notImplemented, typeMismatch } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { keyOf } from '../keys.ts'
import { field } from '../paths.ts'
import { readProjection } from '../projection.ts'
import { countOf, scan } from '../scan.ts'
import { readSort } from '../sort.ts'
import { type Doc, isDoc, type Value } from '../values.ts'
import { count, type Engine, existing, openCursor } from './command.ts'

export function find(engine: Engine, body: Doc): Uint8Array {
  return openCursor(engine, body, found(engine, body), body)
}

/** The documents that are asked for, encoded. */
function* found(engine: Engine, body: Doc): Generator<Uint8Array> {
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
  if (!collection) return
  for (const stored of scan(engine.storage, collection, query))
    yield project ? project(stored.bytes) : stored.bytes
}

export function getMore({ cursors }: Engine, body: Doc): Uint8Array {
  return cursors.more(body.getMore as number, count(body.batchSize, 0) || Number.POSITIVE_INFINITY)
}

export function killCursors({ cursors }: Engine, body: Doc): Doc {
  cursors.kill(body.cursors as number[])
  return { ok: 1 }
}

/**
 * Takes `$match` (or none), perhaps `$limit`, then `$group` by a field or over everything, of sums; so what counts are
 * made of.
 */
export function aggregate(engine: Engine, body: Doc): Uint8Array {
  const stages = Array.isArray(body.pipeline) ? body.pipeline : []
  const names = stages.map(stage => (isDoc(stage) ? Object.keys(stage).join() : '')).join(', ')
  if (!/^(\$match, )?(\$limit, )?\$group$/.test(names)) throw notImplemented(`the pipeline of ${names}`)
  const { $match, $limit, $group } = Object.assign({}, ...stages)
  const query = { filter: readFilter($match), limit: count($limit, UNLIMITED) }
  const groups = groupsOf(engine, body, query, readGroup($group))
  const encoded = groups.map(group => serialize(group))
  return openCursor(engine, body, encoded, isDoc(body.cursor) ? body.cursor : {})
}

/** More than there can be. */
const UNLIMITED = 2 ** 53 - 1

/** By `_id` what is grouped by, by every other name what is summed up: a constant, or a field as `$name`. */
type Group = Record<string, number | string | null>

function readGroup(group: Value): Group {
  if (!isDoc(group) || !('_id' in group)) throw typeMismatch('a group is a document with an _id')
  const entries = Object.entries(group).map(([name, value]) => {
    const isSum = isDoc(value) && Object.keys(value).join() === '$sum'
    const expression = name === '_id' ? value : isSum ? value.$sum : undefined
    const isConstant = expression === null || typeof expression === 'number'
    if (!isConstant && !(typeof expression === 'string' && /^\$[^$.]+$/.test(expression)))
      throw notImplemented(`'${name}' of a group`)
    return [name, expression]
  })
  return Object.fromEntries(entries)
}

function groupsOf(engine: Engine, body: Doc, query: { filter: Doc; limit: number }, group: Group): Doc[] {
  const collection = existing(engine, body)
  if (!collection) return []
  if (Object.values(group).some(expression => typeof expression === 'string'))
    return summedUp(scan(engine.storage, collection, query), group)
  // Constants need no document: `{ _id: 1, n: { $sum: 1 } }` is what drivers make of countDocuments.
  const times = countOf(engine.storage, collection, query.filter, query.limit)
  return times > 0 ? summedUp([{ doc: {} }], group, times) : []
}

/** The sums of each group; of documents that stand for as many each. */
function summedUp(docs: Iterable<{ doc: Doc }>, { _id: by, ...sums }: Group, times = 1): Doc[] {
  const groups = new Map<string, Doc>()
  for (const { doc } of docs) {
    const evaluate = (of: Value) => (typeof of === 'string' ? field(doc, of.slice(1)) : of)
    const _id = evaluate(by) ?? null
    const key = keyOf(_id).toString('latin1')
    const group = groups.get(key) ?? { _id }
    groups.set(key, group)
    for (const [name, of] of Object.entries(sums)) {
      const value = evaluate(of)
      // What is no number counts as nothing.
      group[name] = Number(group[name] ?? 0) + (typeof value === 'number' ? value * times : 0)
    }
  }
  return [...groups.values()]
}
