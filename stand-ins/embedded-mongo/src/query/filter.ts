import { BSONRegExp } from 'bson'
import { badValue, notImplemented } from '../store/errors.ts'
import { ITSELF, valuesAt } from '../store/paths.ts'
import { type Doc, isDoc, type Value } from '../store/values.ts'
import { isWithin, rangesOf } from './bounds.ts'

export type Test = (value: Value) => boolean

const WITH_VALUE = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']

/** Normalizes a client's filter: each path gets a document of operators. Throws for anything unsupported. */
export function readFilter(filter: Value = {}): Doc {
  if (!isDoc(filter)) throw badValue('a filter must be a document')
  const entries = Object.entries(filter).map(([key, value]) => {
    if (/\.\d+(\.|$)/.test(key)) throw notImplemented(`an element by its number in the filter of '${key}'`)
    return [key, key.startsWith('$') ? readLogic(key, value) : readCondition(value)]
  })
  return Object.fromEntries(entries)
}

function readLogic(operator: string, value: Value): Doc[] {
  if (operator !== '$and' && operator !== '$or') throw badValue(`unknown operator: ${operator}`)
  if (!Array.isArray(value) || value.length === 0) throw badValue(`${operator} must be a nonempty array`)
  return value.map(readFilter)
}

/** `{ a: 5 }` and `{ a: { b: 1 } }` are equalities, `{ a: /x/ }` is a pattern, `{ a: { $gt: 5 } }` has operators. */
function readCondition(value: Value): Doc {
  if (value instanceof BSONRegExp) return { $begins: beginningOf(value) }
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
  } else if (!WITH_VALUE.includes(operator)) throw badValue(`unknown operator: ${operator}`)
  return operand
}

/** Parses a filter for the elements of an array: for their fields, or for the elements themselves. */
export function readElementFilter(criteria: Value): Doc {
  const isOfFields = isDoc(criteria) && (!isOperators(criteria) || '$and' in criteria || '$or' in criteria)
  return isOfFields ? readFilter(criteria) : { [ITSELF]: readCondition(criteria) }
}

/** Accepts only patterns such as `/^foo/`, which an index can answer, and returns the prefix. */
function beginningOf({ pattern, options }: BSONRegExp): string {
  const [, text] = /^\^([^\\^$.*+?()[\]{}|]+)$/u.exec(pattern) ?? []
  if (!text?.isWellFormed() || options) throw notImplemented(`the pattern /${pattern}/${options}`)
  return text
}

/** Compiles a filter from `readFilter`. */
export function compileFilter(filter: Doc): Test {
  const tests = Object.entries(filter).map(([key, value]): Test => {
    if (key === '$and' || key === '$or') {
      const parts = (value as Doc[]).map(compileFilter)
      return doc => (key === '$or' ? parts.some(test => test(doc)) : parts.every(test => test(doc)))
    }
    const parts = Object.entries(value as Doc).map(([name, operand]) => compileOperator(name, operand))
    return doc => {
      const values = valuesAt(doc, key)
      return parts.every(test => test(values))
    }
  })
  return doc => tests.every(test => test(doc))
}

/** Compiles a filter from `readElementFilter`. Only documents have fields. */
export function compileElementFilter(filter: Doc): Test {
  const test = compileFilter(filter)
  return ITSELF in filter ? test : element => isDoc(element) && test(element)
}

/** Returns a test of all values at a path. An array matches as a whole or by an element. */
function compileOperator(operator: string, operand: Value): (values: Value[]) => boolean {
  if (operator === '$elemMatch') {
    const test = compileElementFilter(operand as Doc)
    return values => values.some(value => Array.isArray(value) && value.some(test))
  }
  // Values compare in the same way as their keys.
  const ranges = rangesOf(operator, operand)
  const test: Test = value => isWithin(ranges, value)
  const isMet: Test = value => test(value) || (Array.isArray(value) && value.some(test))
  const isNegative = operator === '$ne' || operator === '$nin'
  return values => values.some(isMet) !== isNegative
}
