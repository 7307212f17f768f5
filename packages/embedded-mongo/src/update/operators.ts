import { Timestamp } from 'bson'
import { compareValues } from '../compare.ts'
import { badValue, failedToParse, typeMismatch } from '../errors.ts'
import { copyOf } from '../paths.ts'
import { type Doc, isDoc, isNumeric, typeName, type Value } from '../values.ts'
import { add, multiply } from './arithmetic.ts'
import { addToSet, arrayAt, pop, pull, pullAll, push } from './array-operators.ts'
import { locate, type Place } from './locate.ts'

type Target = { doc: Doc; path: string; operand: Value; inserting: boolean; now: Date }
type Operator = (target: Target) => void

const place = ({ doc, path }: Target): Place => locate(doc, path, true)!

const setting =
  (next: (current: Value, target: Target) => Value): Operator =>
  target => {
    const at = place(target)
    at.set(next(at.value, target))
  }

const number =
  (verb: string, operator: string, next: (current: Value, operand: Value) => Value): Operator =>
  target => {
    const { operand, path, doc } = target
    if (!isNumeric(operand))
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${JSON.stringify(operand)}}`)
    const at = place(target)
    if (at.value !== undefined && !isNumeric(at.value))
      throw typeMismatch(
        `Cannot apply ${operator} to a value of non-numeric type. {_id: ${String(doc._id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeName(at.value)}`,
      )
    at.set(next(at.value, operand))
  }

/** Changes an array; an array that isn't there is only made by the operators that add. */
const array =
  <Operand>(operator: string, adds: boolean, next: (array: Value[], operand: Operand) => Value[]): Operator =>
  ({ doc, path, operand }) => {
    const at = locate(doc, path, adds)
    if (!at || (!adds && at.value === undefined)) return
    at.set(next(arrayAt(operator, path, at.value, doc), copyOf(operand) as Operand))
  }

const rename: Operator = ({ doc, path, operand }) => {
  if (typeof operand !== 'string')
    throw badValue(`The 'to' field for $rename must be a string: ${path}: ${String(operand)}`)
  const from = locate(doc, path, false)
  if (!from || from.value === undefined) return
  from.unset()
  locate(doc, operand, true)!.set(from.value)
}

const currentDate = (_current: Value, { operand, path, now }: Target): Value => {
  const type = isDoc(operand) ? operand.$type : 'date'
  if (operand !== true && operand !== false && !isDoc(operand))
    throw badValue(
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    )
  if (type === 'date') return now
  if (type === 'timestamp') return new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 })
  throw failedToParse(
    `The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {${path}: ...}}`,
  )
}

/** MongoDB's update operators, each on one concrete path of a document that it may change. */
export const operators: Record<string, Operator> = {
  $set: setting((_current, { operand }) => copyOf(operand)),
  $setOnInsert: target => {
    if (target.inserting) place(target).set(copyOf(target.operand))
  },
  $unset: ({ doc, path }) => {
    const at = locate(doc, path, false)
    if (at && at.value !== undefined) at.unset()
  },
  $inc: number('increment', '$inc', (current, by) => (current === undefined ? by : add(current, by))),
  $mul: number('multiply', '$mul', (current, by) => (current === undefined ? 0 : multiply(current, by))),
  $min: setting((current, { operand }) =>
    current === undefined || compareValues(operand, current) < 0 ? copyOf(operand) : current,
  ),
  $max: setting((current, { operand }) =>
    current === undefined || compareValues(operand, current) > 0 ? copyOf(operand) : current,
  ),
  $currentDate: setting(currentDate),
  $rename: rename,
  $push: array('$push', true, push),
  $addToSet: array('$addToSet', true, addToSet),
  $pull: array('$pull', false, pull),
  $pullAll: array('$pullAll', false, pullAll),
  $pop: array('$pop', false, pop),
}
