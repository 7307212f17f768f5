import { Aggregator } from 'mingo/aggregator'
import { Context } from 'mingo/core'
import { type Iterator as Docs, Lazy } from 'mingo/lazy'
import * as stages from 'mingo/operators/pipeline'
import type { Options, PipelineOperator } from 'mingo/types'
import type { Collection } from '../catalog.ts'
import { firstBatchSize } from '../cursors.ts'
import { CommandError, failedToParse, notImplemented, typeMismatch } from '../errors.ts'
import { checkExpression, compileFilter, mingoOptions } from '../expressions.ts'
import { readFilter } from '../filter.ts'
import { scan } from '../scan.ts'
import { readSort, sortDocs } from '../sort.ts'
import { type Doc, isDoc, plainNumber, type Value } from '../values.ts'
import { type Command, count, type Engine, existing, flag } from './command.ts'
import { checkHint } from './find.ts'

type PipelineStage = (docs: Docs, operand: never, options: Options) => Docs
type Stage = { name: string; operand: Value }

/** Filters and sorts as elsewhere in this server; mingo does the rest. */
const pipelineStages: Record<`$${string}`, PipelineStage> = {
  $match: (docs, filter: Value) => docs.filter(compileFilter(readFilter(filter, '$match filter'))),
  $sort: (docs, order: Value) => {
    const sort = readSort(order)
    if (!sort) throw failedToParse('$sort stage must have at least one sort key')
    return docs.transform(all => Lazy(sortDocs(all as Doc[], sort)))
  },
  $group: stages.$group,
  $project: stages.$project,
  $limit: stages.$limit,
  $skip: stages.$skip,
  $count: stages.$count,
  $unwind: stages.$unwind,
  $addFields: stages.$addFields,
  $set: stages.$set,
  $unset: stages.$unset,
  $facet: stages.$facet,
  $replaceRoot: stages.$replaceRoot,
  $replaceWith: stages.$replaceWith,
  $sortByCount: stages.$sortByCount,
  $bucket: stages.$bucket,
  $sample: stages.$sample,
}

const options = {
  ...mingoOptions,
  context: Context.from(
    Context.init({ pipeline: pipelineStages as Record<`$${string}`, PipelineOperator> }),
    mingoOptions.context,
  ),
}

const knownElsewhere =
  /^\$(lookup|out|merge|graphLookup|unionWith|geoNear|search|changeStream|indexStats|collStats|currentOp|densify|fill|setWindowFields|redact|bucketAuto|documents|planCacheStats|listSessions)/

const readPipeline = (pipeline: Value): Stage[] => {
  if (!Array.isArray(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array")
  return pipeline.map(stage => {
    const [name, ...others] = isDoc(stage) ? Object.keys(stage) : []
    if (name === undefined || others.length > 0)
      throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.')
    if (!(name in pipelineStages)) {
      if (knownElsewhere.test(name)) throw notImplemented(`the pipeline stage ${name}`)
      throw new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`)
    }
    const operand = (stage as Doc)[name]
    if (name === '$facet' && isDoc(operand)) Object.values(operand).forEach(readPipeline)
    checkExpression(operand)
    return { name, operand: checked(name, operand) }
  })
}

const checked = (name: string, operand: Value): Value => {
  if (name !== '$limit' && name !== '$skip') return operand
  const number = plainNumber(operand)
  if (number === undefined || !Number.isInteger(number) || number < (name === '$limit' ? 1 : 0))
    throw new CommandError(15958, `invalid argument to ${name} stage: ${String(operand)}`)
  return number
}

/** The beginning of a pipeline that is a find: $match, $sort, $skip, $limit, each at most once and in this order. */
const leadingQuery = (pipeline: Stage[]) => {
  const order = ['$match', '$sort', '$skip', '$limit']
  const leading: Record<string, Value> = {}
  let rest = pipeline
  for (const name of order)
    if (rest[0]?.name === name) {
      leading[name] = rest[0].operand
      rest = rest.slice(1)
    }
  const query = {
    filter: readFilter(leading.$match, 'the match filter'),
    sort: readSort(leading.$sort),
    skip: plainNumber(leading.$skip) ?? 0,
    limit: plainNumber(leading.$limit) ?? Number.POSITIVE_INFINITY,
  }
  return { query, rest }
}

function* docsOf(stored: Iterable<{ doc: Doc }>): Generator<Doc> {
  for (const { doc } of stored) yield doc
}

const results = ({ storage }: Engine, collection: Collection | undefined, stages: Stage[]): Iterable<Doc> => {
  const { query, rest } = leadingQuery(stages)
  const docs = collection ? docsOf(scan(storage, collection, query)) : []
  if (rest.length === 0) return docs
  const aggregator = new Aggregator(
    rest.map(({ name, operand }) => ({ [name]: operand })),
    options,
  )
  return aggregator.run<Doc>(docs as Doc[])
}

const aggregate: Command = {
  fields: [
    'pipeline',
    'cursor',
    'explain',
    'allowDiskUse',
    'bypassDocumentValidation',
    'hint',
    'collation',
    'let',
  ],
  run: (engine, body, db) => {
    if (typeof body.aggregate !== 'string') throw notImplemented('an aggregation without a collection')
    if (flag(body, 'explain')) throw notImplemented('explain of an aggregation')
    if (!isDoc(body.cursor))
      throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument")
    const collection = existing(engine, body, 'aggregate', db)
    checkHint(collection, body.hint)
    const docs = results(engine, collection, readPipeline(body.pipeline))
    return engine.cursors.open(
      `${db}.${body.aggregate}`,
      docs,
      count(body.cursor, 'batchSize', firstBatchSize),
      false,
    )
  },
}

const countCommand: Command = {
  fields: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'],
  run: (engine, body, db) => {
    const collection = existing(engine, body, 'count', db)
    const filter = readFilter(body.query)
    checkHint(collection, body.hint)
    const skip = count(body, 'skip', 0)
    const limit = Math.abs(plainNumber(body.limit) ?? 0) || Number.POSITIVE_INFINITY
    return { n: collection ? counted(engine, collection, filter, skip, limit) : 0, ok: 1 }
  },
}

const counted = (
  { storage }: Engine,
  collection: Collection,
  filter: Doc,
  skip: number,
  limit: number,
): number => {
  if (Object.keys(filter).length === 0) {
    const row = storage.get(`SELECT count(*) AS n FROM docs_${collection.id}`) as { n: number }
    return Math.min(Math.max(0, row.n - skip), limit)
  }
  return [...scan(storage, collection, { filter, skip, limit })].length
}

export const aggregateCommands: Record<string, Command> = { aggregate, count: countCommand }
