import { BSONRegExp } from 'bson'
import { badValue, notImplemented } from './errors.ts'
import { checkExpression } from './expressions.ts'
import { type Doc, isDoc, isNumeric, plainNumber, type Value } from './values.ts'

/**
 * Checks a filter as it came from the client and brings it into one form: every field has a document of operators,
 * patterns are JavaScript's. Whatever is unknown or not done here is an error, never ignored.
 */
export const readFilter = (filter: Value, name = 'filter'): Doc => {
  if (filter === undefined || filter === null) return {}
  if (!isDoc(filter)) throw badValue(`${name} must be a document`)
  const read: Doc = {}
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$comment') continue
    if (key === '__proto__') throw badValue("the field name '__proto__' is not supported")
    read[key] = key.startsWith('$') ? readTopLevel(key, value) : readCondition(value)
  }
  return read
}

const readTopLevel = (operator: string, value: Value): Value => {
  if (operator === '$and' || operator === '$or' || operator === '$nor') {
    if (!Array.isArray(value) || value.length === 0) throw badValue(`${operator} must be a nonempty array`)
    return value.map(item => {
      if (!isDoc(item)) throw badValue(`${operator} entries need to be full objects`)
      return readFilter(item)
    })
  }
  if (operator === '$expr') return checkExpression(value)
  if (['$where', '$text', '$jsonSchema', '$sampleRate', '$alwaysTrue', '$alwaysFalse'].includes(operator))
    throw notImplemented(`the query operator ${operator}`)
  throw badValue(
    `unknown top level operator: ${operator}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  )
}

/** `{ a: 5 }`, `{ a: /x/ }` and `{ a: { b: 1 } }` are equalities; `{ a: { $gt: 5 } }` is a document of operators. */
export const readCondition = (value: Value): Doc => {
  if (value instanceof BSONRegExp || value instanceof RegExp) return { $regex: patternOf(value) }
  if (!isOperators(value)) return { $eq: value }
  const read: Doc = {}
  for (const [operator, operand] of Object.entries(value)) {
    if (operator === '$options') {
      if (!('$regex' in value)) throw badValue('$options needs a $regex')
      continue
    }
    const readOperand = fieldOperators[operator]
    if (!readOperand) throw unknownOperator(operator)
    read[operator] = readOperand(operand, value)
  }
  return read
}

export const isOperators = (value: Value): value is Doc => {
  if (!isDoc(value)) return false
  const first = Object.keys(value)[0]
  return first?.startsWith('$') === true && !['$ref', '$id', '$db'].includes(first)
}

const unknownOperator = (operator: string) =>
  [
    '$near',
    '$nearSphere',
    '$geoWithin',
    '$geoIntersects',
    '$bitsAllSet',
    '$bitsAnySet',
    '$bitsAllClear',
    '$bitsAnyClear',
  ].includes(operator)
    ? notImplemented(`the query operator ${operator}`)
    : badValue(`unknown operator: ${operator}`)

const patternOf = (value: BSONRegExp | RegExp, options?: string): RegExp =>
  value instanceof RegExp
    ? new RegExp(value.source, options ?? value.flags)
    : compilePattern(value.pattern, options ?? value.options)

/** MongoDB's options i, m, s and u are JavaScript's; x (extended) has no counterpart. */
const compilePattern = (pattern: string, options: string): RegExp => {
  if (/[^imsu]/.test(options)) throw badValue(`invalid flag in regex options: ${options}`)
  try {
    return new RegExp(pattern, options)
  } catch (error) {
    throw badValue(`Regular expression is invalid: ${(error as Error).message}`)
  }
}

const readPattern = (operand: Value, all: Doc): RegExp => {
  const options = all.$options
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string')
  if (operand instanceof RegExp || operand instanceof BSONRegExp) return patternOf(operand, options)
  if (typeof operand !== 'string') throw badValue('$regex has to be a string')
  return compilePattern(operand, options ?? '')
}

const readList =
  (operator: string) =>
  (operand: Value): Value[] => {
    if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`)
    return operand.map(item => {
      if (item instanceof BSONRegExp) return patternOf(item)
      if (!isOperators(item)) return item
      if (operator === '$all' && Object.keys(item)[0] === '$elemMatch') return readCondition(item)
      throw badValue(`cannot nest $ under ${operator}`)
    })
  }

const readNot = (operand: Value): Doc => {
  if (operand instanceof BSONRegExp || operand instanceof RegExp) return readCondition(operand)
  if (!isOperators(operand)) throw badValue('$not needs a regex or a document')
  return readCondition(operand)
}

const readElemMatch = (operand: Value): Doc => {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object')
  const first = Object.keys(operand)[0]
  const isLogic = first !== undefined && ['$and', '$or', '$nor', '$expr'].includes(first)
  return isOperators(operand) && !isLogic ? readCondition(operand) : readFilter(operand)
}

const readSize = (operand: Value): number => {
  const size = plainNumber(operand)
  if (size === undefined || !Number.isInteger(size) || size < 0)
    throw badValue('Failed to parse $size. Expected a non-negative integer')
  return size
}

const readMod = (operand: Value): Value => {
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isNumeric))
    throw badValue('malformed mod, needs to be an array of two numbers')
  if (Math.trunc(plainNumber(operand[0])!) === 0) throw badValue('divisor cannot be 0')
  return operand
}

const noPattern =
  (operator: string) =>
  (operand: Value): Value => {
    if (operand instanceof BSONRegExp)
      throw badValue(`Can't have RegEx as arg to predicate over field '${operator}'.`)
    return operand
  }

const asIs = (operand: Value) => operand

const fieldOperators: Record<string, (operand: Value, all: Doc) => Value> = {
  $eq: asIs,
  $ne: noPattern('$ne'),
  $gt: noPattern('$gt'),
  $gte: noPattern('$gte'),
  $lt: noPattern('$lt'),
  $lte: noPattern('$lte'),
  $in: readList('$in'),
  $nin: readList('$nin'),
  $all: readList('$all'),
  $exists: operand => operand !== false && operand !== null && plainNumber(operand) !== 0,
  $type: asIs,
  $mod: readMod,
  $size: readSize,
  $regex: readPattern,
  $not: readNot,
  $elemMatch: readElemMatch,
}
