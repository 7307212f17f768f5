import { Decimal128, Long } from 'bson'
import { Context, evalExpr, ProcessingMode } from 'mingo/core'
import * as accumulators from 'mingo/operators/accumulator'
import * as expressions from 'mingo/operators/expression'
import { $expr } from 'mingo/operators/query/evaluation'
import * as logic from 'mingo/operators/query/logical'
import { Query } from 'mingo/query'
import type { AnyObject, Options, QueryOperator } from 'mingo/types'
import { compareValues } from './compare.ts'
import { notImplemented } from './errors.ts'
import { queryOperators } from './query-operators.ts'
import { type Doc, isDoc, type Value } from './values.ts'

const { $and, $or, $nor, $not } = logic
const { $sum, $avg } = accumulators

/** Compiles a filter that `readFilter` has brought into form. */
export const compileFilter = (filter: Value): ((doc: Value) => boolean) => {
  if (Object.keys(filter as Doc).length === 0) return () => true
  const query = new Query(filter as Doc, mingoOptions)
  return doc => query.test(doc as Doc)
}

/** mingo adds plain numbers only and would leave these out of a sum without a word. */
const refuseInexact = (values: Value[]): Value[] => {
  const other = values.find(value => value instanceof Decimal128 || value instanceof Long)
  if (other) throw notImplemented(`a sum or average of ${other.constructor.name} values`)
  return values
}

type Accumulator = (docs: AnyObject[], expression: unknown, options: Options) => unknown

const exact =
  (accumulate: Accumulator): Accumulator =>
  (docs, expression, options) =>
    typeof expression === 'number'
      ? accumulate(docs, expression, options)
      : accumulate(refuseInexact(accumulators.$push(docs, expression, options)) as AnyObject[], null, options)

/** In expressions a missing field comes before null, and values of different types compare by their types. */
const comparison =
  (accepts: (order: number) => unknown) =>
  (doc: unknown, operands: unknown, options: Options): unknown => {
    const [a, b] = evalExpr(doc, operands, options) as Value[]
    if (a === undefined || b === undefined) return accepts(Number(a !== undefined) - Number(b !== undefined))
    return accepts(Math.sign(compareValues(a, b)))
  }

const comparisons = {
  $cmp: comparison(order => order),
  $eq: comparison(order => order === 0),
  $ne: comparison(order => order !== 0),
  $gt: comparison(order => order > 0),
  $gte: comparison(order => order >= 0),
  $lt: comparison(order => order < 0),
  $lte: comparison(order => order <= 0),
}

/** mingo's own types ask for what all of its operators have in common, which is less than any of them takes. */
const fieldOperators = () => queryOperators(compileFilter) as unknown as Record<`$${string}`, QueryOperator>

/** mingo with MongoDB's comparisons for filters and without server-side JavaScript. */
export const mingoOptions: Options = {
  idKey: '_id',
  processingMode: ProcessingMode.CLONE_OFF,
  useStrictMode: true,
  scriptEnabled: false,
  failOnError: true,
  context: Context.init({
    query: { $and, $or, $nor, $not, $expr, ...fieldOperators() },
    expression: { ...expressions, ...comparisons },
    accumulator: { ...accumulators, $sum: exact($sum), $avg: exact($avg) },
  }),
}

/** The value of an aggregation expression for one document. */
export const evaluate = (doc: Doc, expression: Value): Value => evalExpr(doc, expression, mingoOptions)

const refused = ['$function', '$accumulator', '$where', '$meta', '$toHashedIndexKey']

/** Refuses server-side JavaScript wherever it stands in an expression. */
export const checkExpression = (expression: Value): Value => {
  if (Array.isArray(expression)) expression.forEach(checkExpression)
  if (isDoc(expression))
    for (const [key, value] of Object.entries(expression)) {
      if (refused.includes(key)) throw notImplemented(`the operator ${key}`)
      checkExpression(value)
    }
  return expression
}
