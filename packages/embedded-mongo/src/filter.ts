import { BSONRegExp } from 'bson'
import { badValue, notImplemented } from './errors.ts'
import { compareValues, equalValues, typeOf } from './keys.ts'
import { valuesAt } from './paths.ts'
import { type Doc, isDoc, type Value } from './values.ts'

export type Test = (value: Value) => boolean

/** Query operators of MongoDB that are refused as what they are; any other unknown name is a mistake. */
const REFUSED =
  /^\$(all|bits\w+|exists|expr|geo\w+|jsonSchema|mod|near\w*|nor|not|size|text|type|where|sampleRate)$/

/**
 * Checks a filter as it came from the client and brings it into one form: every field has a document of operators,
 * patterns are JavaScript's. Whatever is unknown or not done here is an error, never ignored.
 */
export function readFilter(filter: Value, name = 'filter'): Doc {
  if (filter === undefined || filter === null) return {}
  if (!isDoc(filter)) throw badValue(`${name} must be a document`)
  const read: Doc = {}
  for (const [key, value] of Object.entries(filter)) {
    if (key === '__proto__') throw badValue("the field name '__proto__' is not supported")
    if (/\.\d+(\.|$)/.test(key)) throw notImplemented(`an element by its number in the filter of '${key}'`)
    read[key] = key.startsWith('$') ? readLogic(key, value) : readCondition(value)
  }
  return read
}

function readLogic(operator: string, value: Value): Doc[] {
  if (operator !== '$and' && operator !== '$or') throw unknownOperator(operator, 'top level operator')
  if (!Array.isArray(value) || value.length === 0) throw badValue(`${operator} must be a nonempty array`)
  return value.map(item => readFilter(item, `an entry of ${operator}`))
}

/** `{ a: 5 }` and `{ a: { b: 1 } }` are equalities, `{ a: /x/ }` a pattern, `{ a: { $gt: 5 } }` has operators. */
export function readCondition(value: Value): Doc {
  if (value instanceof BSONRegExp) return { $regex: patternOf(value) }
  if (!isOperators(value)) return { $eq: value }
  const read: Doc = {}
  for (const [operator, operand] of Object.entries(value)) {
    const comparable = operandOf[operator]
    if (!comparable) throw unknownOperator(operator, 'operator')
    read[operator] = comparable(operand, operator)
  }
  return read
}

export function isOperators(value: Value): value is Doc {
  return isDoc(value) && Object.keys(value)[0]?.startsWith('$') === true
}

function unknownOperator(operator: string, kind: string) {
  return REFUSED.test(operator)
    ? notImplemented(`the query operator ${operator}`)
    : badValue(`unknown ${kind}: ${operator}`)
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

function plainOperand(operand: Value, operator: string): Value {
  if (operand instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to ${operator}.`)
  return operand
}

function listOperand(operand: Value, operator: string): Value[] {
  if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`)
  return operand.map(item => {
    if (item instanceof BSONRegExp) return patternOf(item)
    if (isOperators(item)) throw badValue(`cannot nest $ under ${operator}`)
    return item
  })
}

function elementOperand(operand: Value): Doc {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object')
  const isLogic = '$and' in operand || '$or' in operand
  return isOperators(operand) && !isLogic ? readCondition(operand) : readFilter(operand)
}

const operandOf: Record<string, (operand: Value, operator: string) => Value> = {
  $eq: operand => (operand instanceof BSONRegExp ? patternOf(operand) : operand),
  $ne: plainOperand,
  $gt: plainOperand,
  $gte: plainOperand,
  $lt: plainOperand,
  $lte: plainOperand,
  $in: listOperand,
  $nin: listOperand,
  $elemMatch: elementOperand,
}

/** Compiles a filter that `readFilter` has brought into form. */
export function compileFilter(filter: Doc): Test {
  const tests = Object.entries(filter).map(([key, value]) => {
    if (key === '$and' || key === '$or') {
      const parts = (value as Doc[]).map(compileFilter)
      return key === '$and' ? every(parts) : (doc: Value) => parts.some(test => test(doc))
    }
    const parts = Object.entries(value as Doc).map(([operator, operand]) =>
      compileOperator(operator, operand),
    )
    return (doc: Value) => {
      const values = valuesAt(doc, key)
      return parts.every(test => test(values))
    }
  })
  return every(tests)
}

function every(tests: Test[]): Test {
  return tests.length === 1 ? tests[0]! : value => tests.every(test => test(value))
}

const NEGATIVE = new Set(['$ne', '$nin'])

/** Makes a test of all values that a path reaches; an array is met by itself and by each of its elements. */
function compileOperator(operator: string, operand: Value): (values: Value[]) => boolean {
  if (operator === '$elemMatch') {
    const test = elementTest(operand as Doc)
    return values => values.some(value => Array.isArray(value) && value.some(test))
  }
  const test = valueTest(operator, operand)
  const isMet: Test = value => test(value) || (Array.isArray(value) && value.some(test))
  return values => values.some(isMet) !== NEGATIVE.has(operator)
}

function valueTest(operator: string, operand: Value): Test {
  switch (operator) {
    case '$gt':
      return ordered(operand, order => order > 0)
    case '$gte':
      return ordered(operand, order => order >= 0)
    case '$lt':
      return ordered(operand, order => order < 0)
    case '$lte':
      return ordered(operand, order => order <= 0)
    case '$in':
    case '$nin': {
      const tests = (operand as Value[]).map(equals)
      return value => tests.some(test => test(value))
    }
    default:
      return equals(operand)
  }
}

/** A pattern matches text. */
function equals(operand: Value): Test {
  if (operand instanceof RegExp) return value => typeof value === 'string' && operand.test(value)
  return value => equalValues(value, operand)
}

/** Comparisons only see values of the operand's own type: { $gt: 5 } finds no text. NaN is neither above nor below. */
function ordered(operand: Value, accepts: (order: number) => boolean): Test {
  const type = typeOf(operand)
  return value =>
    typeOf(value) === type &&
    accepts(compareValues(value, operand)) &&
    Number.isNaN(value) === Number.isNaN(operand)
}

/** An element matches when it has all of the operators, or, for documents, when it fits the filter. */
function elementTest(criteria: Doc): Test {
  if (!isOperators(criteria) || '$and' in criteria || '$or' in criteria) {
    const test = compileFilter(criteria)
    return element => isDoc(element) && test(element)
  }
  const tests = Object.entries(criteria).map(([operator, operand]): Test => {
    if (operator === '$elemMatch') return value => compileOperator(operator, operand)([value])
    const test = valueTest(operator, operand)
    return NEGATIVE.has(operator) ? value => !test(value) : test
  })
  return every(tests)
}
