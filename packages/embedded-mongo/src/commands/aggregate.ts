import { serialize } from 'bson'
import { FIRST_BATCH_SIZE } from '../cursors.ts'
import { CommandError, failedToParse, notImplemented, typeMismatch } from '../errors.ts'
import { readFilter } from '../filter.ts'
import { keyOf } from '../keys.ts'
import { valuesAt } from '../paths.ts'
import { countOf, scan } from '../scan.ts'
import { sum } from '../update.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../values.ts'
import { type Command, collectionName, count, type Engine, existing } from './command.ts'

/** A constant, or the field of a path. */
type Expression = { constant: Value } | { path: string }

interface Group {
  id: Expression
  sums: [name: string, of: Expression][]
}

/** `$match`, `$skip` and `$limit` at most once each and in this order, then `$group` by a field or over everything. */
const STAGES = ['$match', '$skip', '$limit', '$group']

function readPipeline(pipeline: Value): Doc {
  if (!Array.isArray(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array")
  const stages: Doc = {}
  let last = -1
  for (const stage of pipeline) {
    const [name = '', ...others] = isDoc(stage) ? Object.keys(stage) : []
    const at = STAGES.indexOf(name)
    if (at < 0 || others.length > 0) throw notImplemented(`the pipeline stage ${name}`)
    if (at <= last) throw notImplemented(`${name} behind ${STAGES[last]} in a pipeline`)
    stages[name] = (stage as Doc)[name]
    last = at
  }
  if (!('$group' in stages)) throw notImplemented('a pipeline without $group at its end')
  return stages
}

function readGroup(group: Value): Group {
  if (!isDoc(group) || !('_id' in group)) throw failedToParse('a group specification must include an _id')
  const { _id, ...fields } = group
  const sums = Object.entries(fields).map(([name, accumulator]): Group['sums'][number] => {
    const [operator, ...others] = isDoc(accumulator) ? Object.keys(accumulator) : []
    if (operator !== '$sum' || others.length > 0)
      throw notImplemented(`the accumulator ${operator} of '${name}'`)
    return [name, readExpression((accumulator as Doc).$sum)]
  })
  return { id: readExpression(_id), sums }
}

function readExpression(expression: Value): Expression {
  if (typeof expression !== 'object' && !String(expression).startsWith('$')) return { constant: expression }
  if (expression === null) return { constant: null }
  if (typeof expression !== 'string' || !/^\$[^$.][^.]*$/.test(expression))
    throw notImplemented(`the aggregation expression ${JSON.stringify(expression)}`)
  return { path: expression.slice(1) }
}

function evaluate(expression: Expression, doc: Doc): Value {
  return 'path' in expression ? valuesAt(doc, expression.path)[0] : expression.constant
}

/** What is no number counts as nothing. */
function added(total: Value, value: Value, times = 1): Value {
  if (!isNumeric(value) || !isNumeric(total)) return total
  return times === 1 ? sum(total, value) : sum(total, Number(value) * times)
}

function grouped(docs: Iterable<Doc>, { id, sums }: Group): Doc[] {
  const groups = new Map<string, Doc>()
  for (const doc of docs) {
    const _id = evaluate(id, doc) ?? null
    const key = typeof _id === 'string' ? `text ${_id}` : keyOf(_id).toString('latin1')
    const group = groups.get(key) ?? { _id, ...Object.fromEntries(sums.map(([name]) => [name, 0])) }
    groups.set(key, group)
    for (const [name, of] of sums) group[name] = added(group[name], evaluate(of, doc))
  }
  return [...groups.values()]
}

/** A count needs no document: `{ $group: { _id: 1, n: { $sum: 1 } } }` is what drivers make of countDocuments. */
function counted(times: number, { id, sums }: Group): Doc[] | undefined {
  const constants = sums.flatMap(([name, of]) => ('constant' in of ? [[name, of.constant] as const] : []))
  if (!('constant' in id) || constants.length < sums.length) return undefined
  if (times === 0) return []
  return [
    { _id: id.constant, ...Object.fromEntries(constants.map(([name, of]) => [name, added(0, of, times)])) },
  ]
}

function* docsOf(stored: Iterable<{ doc: Doc }>): Generator<Doc> {
  for (const { doc } of stored) yield doc
}

function results(engine: Engine, body: Doc, db: string): Doc[] {
  const stages = readPipeline(body.pipeline)
  const group = readGroup(stages.$group)
  const filter = readFilter(stages.$match, 'the match filter')
  const skip = count('$skip', stages.$skip, 0)
  const limit = count('$limit', stages.$limit, Number.POSITIVE_INFINITY)
  if (limit === 0) throw new CommandError(15958, 'the limit must be positive')
  const collection = existing(engine, body, db)
  if (!collection) return []
  if (counted(0, group)) {
    const all = countOf(engine.storage, collection, filter)
    return counted(Math.min(Math.max(0, all - skip), limit), group)!
  }
  return grouped(docsOf(scan(engine.storage, collection, { filter, skip, limit })), group)
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
