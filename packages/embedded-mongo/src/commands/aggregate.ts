import { serialize } from 'bson'
import { FIRST_BATCH_SIZE } from '../cursors.ts'
import { failedToParse, notImplemented, typeMismatch } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { keyOf } from '../keys.ts'
import { field } from '../paths.ts'
import { countOf, scan } from '../scan.ts'
import { type Doc, isDoc, type Value } from '../values.ts'
import { type Command, collectionName, count, type Engine, existing } from './command.ts'

/** A constant, or a field as `$name`. */
type Expression = number | string | null

/** Expressions for the fields of a group: `_id`, and those that are summed up. */
type Group = Record<string, Expression>

/** Takes `$match` (or none), then `$group` by a field or over everything, of sums; so what counts are made of. */
function readPipeline(pipeline: Value): { filter: Doc; group: Group } {
  if (!Array.isArray(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array")
  const names = pipeline.map(stage => (isDoc(stage) ? Object.keys(stage).join() : '')).join(', ')
  if (names !== '$group' && names !== '$match, $group') throw notImplemented(`the pipeline of ${names}`)
  const { $match, $group } = Object.assign({}, ...pipeline)
  return { filter: readFilter($match, 'the match filter'), group: readGroup($group) }
}

function readGroup(group: Value): Group {
  if (!isDoc(group) || !('_id' in group)) throw failedToParse('a group specification must include an _id')
  const fields = Object.entries(group).map(([name, value]) => {
    if (name === '_id') return [name, readExpression(value)]
    const [operator, ...others] = isDoc(value) ? Object.keys(value) : []
    if (operator !== '$sum' || others.length > 0)
      throw notImplemented(`the accumulator ${operator} of '${name}'`)
    return [name, readExpression((value as Doc).$sum)]
  })
  return Object.fromEntries(fields)
}

function readExpression(expression: Value): Expression {
  if (expression === null || typeof expression === 'number') return expression
  if (typeof expression === 'string' && /^\$[^$.]+$/.test(expression)) return expression
  throw notImplemented(`the aggregation expression ${JSON.stringify(expression)}`)
}

function evaluate(expression: Expression | undefined, doc: Doc): Value {
  return typeof expression === 'string' ? field(doc, expression.slice(1)) : expression
}

function grouped(docs: Iterable<{ doc: Doc }>, { _id: by, ...sums }: Group): Doc[] {
  const groups = new Map<string, { _id: Value; totals: Record<string, number> }>()
  for (const { doc } of docs) {
    const _id = evaluate(by, doc) ?? null
    const key = keyOf(_id).toString('latin1')
    const totals = groups.get(key)?.totals ?? {}
    groups.set(key, { _id, totals })
    for (const [name, of] of Object.entries(sums)) {
      const value = evaluate(of, doc)
      // What is no number counts as nothing.
      totals[name] = (totals[name] ?? 0) + (typeof value === 'number' ? value : 0)
    }
  }
  return [...groups.values()].map(({ _id, totals }) => ({ _id, ...totals }))
}

/** A group of constants needs no document: `{ _id: 1, n: { $sum: 1 } }` is what drivers make of countDocuments. */
function counted(times: number, { _id, ...sums }: Group): Doc[] {
  const totals = Object.entries(sums).map(([name, of]) => [name, Number(of) * times])
  return times === 0 ? [] : [{ _id, ...Object.fromEntries(totals) }]
}

function results(engine: Engine, body: Doc, db: string): Doc[] {
  const { filter, group } = readPipeline(body.pipeline)
  const collection = existing(engine, body, db)
  if (!collection) return []
  const isConstant = Object.values(group).every(expression => typeof expression !== 'string')
  if (isConstant) return counted(countOf(engine.storage, collection, filter), group)
  return grouped(scan(engine.storage, collection, { filter }), group)
}

export const aggregate: Command = {
  kind: 'read',
  fields: ['pipeline', 'cursor'],
  run: (engine, body, db) => {
    if (!isDoc(body.cursor)) throw failedToParse("The 'cursor' option is required")
    const groups = results(engine, body, db).map(doc => serialize(doc))
    const batchSize = count('batchSize', body.cursor.batchSize, FIRST_BATCH_SIZE)
    return engine.cursors.open(`${db}.${collectionName(body)}`, groups, batchSize, false)
  },
}
