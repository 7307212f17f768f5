import type { FieldError } from '@voxscribe/contracts/http'
import { refusalText } from '@voxscribe/contracts/refusals'
import type { z } from 'zod'

/** Descriptions of expected values, by the library's name for them. */
const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  nan: 'a number',
}

const either = (values: readonly unknown[]): string =>
  [values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ')

/** Describes in plain words what is wrong with a field whose schema has no sentence for it. */
function whatIsWrong(issue: z.core.$ZodRawIssue): string | undefined {
  const name = issue.path?.join('.')
  if (!name) return undefined
  if (issue.code === 'invalid_value') return `${name} must be ${either(issue.values ?? [])}`
  if (issue.input === undefined) return `${name} is required`
  switch (issue.code) {
    case 'invalid_type':
      return `${name} must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? `${name} is required` : `${name} is too short`
      return issue.origin === 'array'
        ? `${name} must have at least ${issue.minimum}`
        : `${name} must be at least ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'string') return `${name} is too long`
      return issue.origin === 'array'
        ? `${name} may have at most ${issue.maximum}`
        : `${name} must be at most ${issue.maximum}`
    default:
      return `${name} is not valid`
  }
}

type Read<Schema extends z.ZodType> =
  | { data: z.output<Schema>; errors?: undefined }
  | { data?: undefined; errors: FieldError[] }

/** Reads a value by a schema. Returns it as parsed, or every wrong field. */
export function readBy<Schema extends z.ZodType>(schema: Schema, value: unknown): Read<Schema> {
  const { success, data, error } = schema.safeParse(value, { error: whatIsWrong })
  if (success) return { data }
  const errors = error.issues.map(({ path, code, message }) => ({
    field: path.join('.'),
    message: path.length || code === 'custom' ? message : refusalText('not_an_object'),
  }))
  return { errors }
}
