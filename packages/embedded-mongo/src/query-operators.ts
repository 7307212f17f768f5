import { BSONRegExp } from 'bson'
import { compareValues, equalValues } from './compare.ts'
import { typeOrderOf } from './index-keys.ts'
import { valuesAt } from './paths.ts'
import { isDoc, isNumeric, plainNumber, typeName, typeNameOfNumber, type Value } from './values.ts'

type Test = (value: Value) => boolean

/** True when the field has such a value, or is an array with such an element. */
const some =
  (path: string, test: Test) =>
  (doc: Value): boolean =>
    valuesAt(doc, path).some(value => test(value) || (Array.isArray(value) && value.some(test)))

/** Comparisons only see values of the operand's own type: { $gt: 5 } finds no text. */
const ordered = (operand: Value, accepts: (order: number) => boolean): Test => {
  const type = typeOrderOf(operand)
  return value =>
    typeOrderOf(value) === type && accepts(compareValues(value, operand)) && !oneIsNaN(value, operand)
}

/** NaN is equal to NaN, but neither above nor below any number. */
const oneIsNaN = (a: Value, b: Value) =>
  Number.isNaN(plainNumber(a) ?? 0) !== Number.isNaN(plainNumber(b) ?? 0)

const isPattern = (value: Value): value is RegExp => value instanceof RegExp

/** What a filter may give as a value: a pattern matches text, or the same pattern stored. */
const equals = (operand: Value): Test => {
  if (!isPattern(operand)) return value => equalValues(value, operand)
  return value =>
    typeof value === 'string'
      ? operand.test(value)
      : value instanceof BSONRegExp && value.pattern === operand.source && value.options === operand.flags
}

const oneOf = (operands: readonly Value[]): Test => {
  const tests = operands.map(equals)
  return value => tests.some(test => test(value))
}

const hasType = (wanted: Value): Test => {
  const names = (Array.isArray(wanted) ? wanted : [wanted]).map(name =>
    typeof name === 'number' ? typeNameOfNumber(name) : name,
  )
  return value => {
    if (value === undefined) return false
    const name = typeName(value)
    return names.includes(name) || (names.includes('number') && isNumeric(value))
  }
}

const remainderIs = (operand: Value): Test => {
  const [divisor, remainder] = (operand as Value[]).map(item => Math.trunc(plainNumber(item) ?? Number.NaN))
  return value => isNumeric(value) && Math.trunc(plainNumber(value)!) % divisor! === remainder
}

/** Makes a test of a document from a path and an operand. */
export type FieldOperator = (path: string, operand: Value) => Test

type Compile = (filter: Value) => Test

/** An element matches when it has all of the operators, or, for documents, when it fits the filter. */
const elementTest = (criteria: Value, compile: Compile): Test => {
  const first = isDoc(criteria) ? Object.keys(criteria)[0] : undefined
  const forValues = first?.startsWith('$') && !['$and', '$or', '$nor', '$expr'].includes(first)
  if (!forValues) {
    const test = compile(criteria)
    return element => (isDoc(element) || Array.isArray(element)) && test(element)
  }
  const test = compile({ element: criteria })
  return element => test({ element })
}

/**
 * MongoDB's field operators for mingo's Query: mingo reads the filter and does the logic ($and, $or, $nor, $not,
 * $expr); how values are found and compared is decided here, because BSON's types have an order of their own.
 */
export const queryOperators = (compile: Compile): Record<`$${string}`, FieldOperator> => ({
  $eq: (path, operand) => some(path, equals(operand)),
  $ne: (path, operand) => not(some(path, equals(operand))),
  $in: (path, operand) => some(path, oneOf(operand as Value[])),
  $nin: (path, operand) => not(some(path, oneOf(operand as Value[]))),
  $gt: (path, operand) =>
    some(
      path,
      ordered(operand, order => order > 0),
    ),
  $gte: (path, operand) =>
    some(
      path,
      ordered(operand, order => order >= 0),
    ),
  $lt: (path, operand) =>
    some(
      path,
      ordered(operand, order => order < 0),
    ),
  $lte: (path, operand) =>
    some(
      path,
      ordered(operand, order => order <= 0),
    ),
  $regex: (path, operand) => some(path, equals(operand)),
  $type: (path, operand) => some(path, hasType(operand)),
  $mod: (path, operand) => some(path, remainderIs(operand)),
  $exists: (path, operand) => doc => valuesAt(doc, path).some(value => value !== undefined) === !!operand,
  $size: (path, operand) => doc =>
    valuesAt(doc, path).some(value => Array.isArray(value) && value.length === plainNumber(operand)),
  $elemMatch: (path, criteria) => {
    const test = elementTest(criteria, compile)
    return doc => valuesAt(doc, path).some(value => Array.isArray(value) && value.some(test))
  },
  $all: (path, operand) => {
    const tests = (operand as Value[]).map(item =>
      isDoc(item) && '$elemMatch' in item ? compile({ [path]: item }) : some(path, equals(item)),
    )
    return doc => tests.length > 0 && tests.every(test => test(doc))
  },
})

const not =
  (test: Test): Test =>
  value =>
    !test(value)
