import { BSONRegExp } from 'bson'
import { comparedWith, isWithin, pointsAt } from './bounds.ts'
import { badValue, notImplemented, unknownOperator } from './errors.ts'
import { ITSELF, valuesAt } from './paths.ts'
import { type Doc, isDoc, type Value } from './values.ts'

export type Test = (value: Value) => boolean

const COMPARISONS = ['$gt', '$gte', '$lt', '$lte']

/**
 * Checks a filter as it came from the client and brings it into one form: every path has a document of operators, a
 * pattern is `$in` a list of it. Whatever is unknown or not done here is an error, never ignored.
 */
export function readFilter(filter: Value): Doc {
  if (filter === undefined || filter === null) return {}
  if (!isDoc(filter)) throw badValue('a filter must be a document')
  const entries = Object.entries(filter).map(([key, value]) => {
    if (/\.\d+(\.|$)/.test(key)) throw notImplemented(`an element by its number in the filter of '${key}'`)
    return [key, key.startsWith('$') ? readLogic(key, value) : readCondition(value)]
  })
  return Object.fromEntries(entries)
}

function readLogic(operator: string, value: Value): Doc[] {
  if (operator !== '$and' && operator !== '$or') throw unknownOperator(operator, 2)
  if (!Array.isArray(value) || value.length === 0) throw badValue(`${operator} must be a nonempty array`)
  return value.map(readFilter)
}

/** `{ a: 5 }` and `{ a: { b: 1 } }` are equalities, `{ a: /x/ }` a pattern, `{ a: { $gt: 5 } }` has operators. */
function readCondition(value: Value): Doc {
  if (value instanceof BSONRegExp) return { $in: [patternOf(value)] }
  if (!isOperators(value)) return { $eq: value }
  const entries = Object.entries(value).map(([name, operand]) => [name, readOperand(name, operand)])
  return Object.fromEntries(entries)
}

function isOperators(value: Value): value is Doc {
  return isDoc(value) && Object.keys(value)[0]?.startsWith('$') === true
}

function readOperand(operator: string, operand: Value): Value {
  if (operator === '$elemMatch') {
    if (!isDoc(operand)) throw badValue('$elemMatch needs an Object')
    return readElementFilter(operand)
  }
  if (operator === '$in' || operator === '$nin') {
    if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`)
    if (operand.some(isOperators)) throw badValue(`cannot nest $ under ${operator}`)
    return operand.map(item => (item instanceof BSONRegExp ? patternOf(item) : item))
  }
  if (!['$eq', '$ne', ...COMPARISONS].includes(operator)) throw unknownOperator(operator, 2)
  if (operand instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to ${operator}.`)
  return operand
}

/** A filter of the elements of an array: of their fields, or of themselves. */
export function readElementFilter(criteria: Value): Doc {
  const isOfFields = isDoc(criteria) && (!isOperators(criteria) || '$and' in criteria || '$or' in criteria)
  return isOfFields ? readFilter(criteria) : { [ITSELF]: readCondition(criteria) }
}

/** MongoDB's options i, m, s and u are JavaScript's; x (extended) has no counterpart. */
function patternOf({ pattern, options }: BSONRegExp): RegExp {
  if (/[^imsu]/.test(options)) throw notImplemented(`a regular expression with the options '${options}'`)
  try {
    return new RegExp(pattern, options)
  } catch (error) {
    throw badValue(`Regular expression is invalid: ${(error as Error).message}`)
  }
}

/** Compiles a filter that `readFilter` has brought into form. */
export function compileFilter(filter: Doc): Test {
  const tests = Object.entries(filter).map(([key, value]): Test => {
    if (key === '$and') return every((value as Doc[]).map(compileFilter))
    if (key === '$or') {
      const parts = (value as Doc[]).map(compileFilter)
      return doc => parts.some(test => test(doc))
    }
    const parts = Object.entries(value as Doc).map(([name, operand]) => compileOperator(name, operand))
    return doc => {
      const values = valuesAt(doc, key)
      return parts.every(test => test(values))
    }
  })
  return every(tests)
}

function every(tests: Test[]): Test {
  return tests.length === 1 ? tests[0]! : value => tests.every(test => test(value))
}

/** Compiles a filter that `readElementFilter` has brought into form. Fields are only those of documents. */
export function compileElementFilter(filter: Doc): Test {
  const test = compileFilter(filter)
  return ITSELF in filter ? test : element => isDoc(element) && test(element)
}

/** Makes a test of all values that a path reaches; an array is met by itself and by each of its elements. */
function compileOperator(operator: string, operand: Value): (values: Value[]) => boolean {
  if (operator === '$elemMatch') {
    const test = compileElementFilter(operand as Doc)
    return values => values.some(value => Array.isArray(value) && value.some(test))
  }
  const test = valueTest(operator, operand)
  const isMet: Test = value => test(value) || (Array.isArray(value) && value.some(test))
  const isNegative = operator === '$ne' || operator === '$nin'
  return values => values.some(isMet) !== isNegative
}

/** A value is equal, less or greater as its key is. A pattern matches text. */
function valueTest(operator: string, operand: Value): Test {
  const operands = operator === '$in' || operator === '$nin' ? (operand as Value[]) : [operand]
  const patterns = operands.filter(item => item instanceof RegExp)
  const values = operands.filter(item => !(item instanceof RegExp))
  const ranges = COMPARISONS.includes(operator) ? comparedWith(operator, operand) : pointsAt(values)
  return value =>
    isWithin(ranges, value) || (typeof value === 'string' && patterns.some(pattern => pattern.test(value)))
}
