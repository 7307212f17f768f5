import { BSONRegExp } from 'bson'
import { compareValues, equalValues } from '../compare.ts'
import { badValue, CommandError, failedToParse, typeMismatch } from '../errors.ts'
import { compileFilter } from '../expressions.ts'
import { isOperators, readCondition, readFilter } from '../filter.ts'
import { readSort, sortDocs } from '../sort.ts'
import { type Doc, isDoc, plainNumber, typeName, type Value } from '../values.ts'

type Test = (value: Value) => boolean

/** `$push` and `$addToSet` in one form, whether the client wrote a value or `$each`. */
type Pushed = { each: Value[]; position?: number; slice?: number; sort?: Value }

const pushModifiers = ['$each', '$position', '$slice', '$sort']

/** Checks what belongs to one of the array operators, once for all documents. */
export const checkArrayOperand = (operator: string, operand: Value): Value => {
  if (operator === '$push') return readPushed(operand, pushModifiers, operator)
  if (operator === '$addToSet') return readPushed(operand, ['$each'], operator)
  if (operator === '$pull') return pullTest(operand)
  if (operator === '$pullAll' && !Array.isArray(operand))
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`)
  if (operator === '$pop' && plainNumber(operand) !== 1 && plainNumber(operand) !== -1)
    throw failedToParse(`$pop expects 1 or -1, found: ${String(operand)}`)
  return operand
}

const readPushed = (operand: Value, known: string[], operator: string): Pushed => {
  if (!isDoc(operand) || !('$each' in operand)) return { each: [operand] }
  const unknown = Object.keys(operand).find(name => !known.includes(name))
  if (unknown) throw badValue(`Unrecognized clause in ${operator}: ${unknown}`)
  const { $each, $position, $slice, $sort } = operand
  if (!Array.isArray($each))
    throw typeMismatch(
      `The argument to $each in ${operator} must be an array but it was of type: ${typeName($each)}`,
    )
  return {
    each: $each,
    ...($position !== undefined && { position: wholeNumber('$position', $position) }),
    ...($slice !== undefined && { slice: wholeNumber('$slice', $slice) }),
    ...($sort !== undefined && { sort: $sort }),
  }
}

const wholeNumber = (name: string, value: Value): number => {
  const number = plainNumber(value)
  if (number === undefined || !Number.isInteger(number))
    throw badValue(`The value for ${name} must be an integer value but was given type: ${typeName(value)}`)
  return number
}

export const push = (array: Value[], { each, position = array.length, slice, sort }: Pushed): Value[] => {
  const at = position < 0 ? Math.max(0, array.length + position) : Math.min(position, array.length)
  const longer = array.toSpliced(at, 0, ...each)
  const sorted = sort === undefined ? longer : sortElements(longer, sort)
  if (slice === undefined) return sorted
  return slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice)
}

const sortElements = (array: Value[], sort: Value): Value[] => {
  const direction = plainNumber(sort)
  if (direction !== undefined) return array.toSorted((a, b) => compareValues(a, b) * direction)
  const order = readSort(sort)
  return order
    ? sortDocs(
        array.map(item => (isDoc(item) ? item : {})),
        order,
      )
    : array
}

export const addToSet = (array: Value[], { each }: Pushed): Value[] => {
  const longer = [...array]
  for (const value of each) if (!longer.some(item => equalValues(item, value))) longer.push(value)
  return longer
}

/** A document pulls the documents that it matches as a filter; operators pull what they accept; else equality. */
const pullTest = (operand: Value): Test => {
  if (isOperators(operand) || operand instanceof BSONRegExp) {
    const test = compileFilter({ item: readCondition(operand) })
    return value => test({ item: value })
  }
  if (!isDoc(operand)) return value => equalValues(value, operand)
  const test = compileFilter(readFilter(operand))
  return value => isDoc(value) && test(value)
}

export const pull = (array: Value[], test: Test): Value[] => array.filter(value => !test(value))

export const pullAll = (array: Value[], values: Value[]): Value[] =>
  array.filter(item => !values.some(value => equalValues(item, value)))

export const pop = (array: Value[], end: Value): Value[] =>
  plainNumber(end) === 1 ? array.slice(0, -1) : array.slice(1)

/** The array at a place: an empty one when there is none yet; anything else is an error in the operator's words. */
export const arrayAt = (operator: string, path: string, value: Value, doc: Doc): Value[] => {
  if (Array.isArray(value)) return value
  if (value === undefined) return []
  if (operator === '$push')
    throw badValue(
      `The field '${path}' must be an array but is of type ${typeName(value)} in document {_id: ${String(doc._id)}}`,
    )
  if (operator === '$pop')
    throw new CommandError(14, `Path '${path}' contains an element of non-array type '${typeName(value)}'`)
  if (operator === '$addToSet')
    throw badValue(
      `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${typeName(value)}`,
    )
  throw badValue(`Cannot apply ${operator} to a non-array value`)
}
