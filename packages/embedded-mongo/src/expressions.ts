import { Context, evalExpr, ProcessingMode } from 'mingo/core'
import * as accumulators from 'mingo/operators/accumulator'
import * as expressions from 'mingo/operators/expression'
import { $expr } from 'mingo/operators/query/evaluation'
import * as logic from 'mingo/operators/query/logical'
import { Query } from 'mingo/query'
import type { Options, QueryOperator } from 'mingo/types'
import { notImplemented } from './errors.ts'
import { queryOperators } from './query-operators.ts'
import { type Doc, isDoc, type Value } from './values.ts'

const { $and, $or, $nor, $not } = logic

/** Compiles a filter that `readFilter` has brought into form. */
export const compileFilter = (filter: Value): ((doc: Value) => boolean) => {
  if (Object.keys(filter as Doc).length === 0) return () => true
  const query = new Query(filter as Doc, mingoOptions)
  return doc => query.test(doc as Doc)
}

const { $function, $accumulator: _script, ...safeExpressions } = { $accumulator: undefined, ...expressions }
void $function
const { $accumulator, ...safeAccumulators } = accumulators
void $accumulator

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
    expression: safeExpressions,
    accumulator: safeAccumulators,
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
