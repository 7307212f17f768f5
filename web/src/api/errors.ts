import type { FieldError } from '@voxscribe/contracts/http'

const NETWORK = 'Network error. Please check your internet connection and try again.'

/** A call that did not work. `status` is 0 when no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: FieldError[]

  constructor(message: string, status: number, errors: FieldError[] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
  }
}

const BY_STATUS: Record<number, string> = {
  400: 'Invalid request. Please check your input.',
  401: 'Authentication failed.',
  403: 'Access denied.',
  404: 'Resource not found.',
  409: 'Conflict. Resource already exists.',
}

const defaultFor = (status: number): string =>
  BY_STATUS[status] ?? (status >= 500 ? 'Server error. Please try again later.' : 'Something went wrong')

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const fieldErrorsIn = (value: unknown): FieldError[] =>
  Array.isArray(value)
    ? value.filter(entry => typeof entry?.field === 'string' && typeof entry?.message === 'string')
    : []

/** Returns the error of an unsuccessful answer. For a 200 without a message it is empty: the screen has its own. */
export function errorFrom(status: number, answer: unknown): ApiError {
  const { message, errors } = Object(answer)
  const worked = status >= 200 && status < 300
  return new ApiError(textIn(message) || (worked ? '' : defaultFor(status)), status, fieldErrorsIn(errors))
}

/** Returns the error of a request that got no answer. */
export const networkErrorFrom = (cause: unknown): ApiError =>
  new ApiError(cause instanceof Error ? NETWORK : 'Network error occurred', 0)
