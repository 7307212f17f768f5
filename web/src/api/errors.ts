import type { FieldError } from '@voxscribe/contracts/http'

const NETWORK = 'Network error. Please check your internet connection and try again.'

interface ApiErrorDetails {
  status: number
  code?: string | undefined
  errors?: FieldError[] | undefined
  fromServer: boolean
}

/** A call that did not work. `status` is 0 when no answer came; `fromServer` tells whose words `message` has. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly errors: FieldError[]
  readonly fromServer: boolean

  constructor(message: string, details: ApiErrorDetails) {
    super(message)
    this.name = 'ApiError'
    this.status = details.status
    this.code = details.code
    this.errors = details.errors ?? []
    this.fromServer = details.fromServer
  }
}

const byStatus: Record<number, string> = {
  400: 'Invalid request. Please check your input.',
  401: 'Authentication failed.',
  403: 'Access denied.',
  404: 'Resource not found.',
  409: 'Conflict. Resource already exists.',
}

const defaultFor = (status: number): string =>
  byStatus[status] ?? (status >= 500 ? 'Server error. Please try again later.' : 'Something went wrong')

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const fieldErrorsIn = (value: unknown): FieldError[] =>
  Array.isArray(value)
    ? value.filter(entry => typeof entry?.field === 'string' && typeof entry?.message === 'string')
    : []

/** What an answer that is no success means. A 200 without a message keeps an empty one: the screen has the words. */
export function errorFrom(status: number, answer: unknown): ApiError {
  const { message, code, errors } = Object(answer)
  const words = textIn(message)
  const worked = status >= 200 && status < 300
  return new ApiError(words || (worked ? '' : defaultFor(status)), {
    status,
    code: textIn(code) || undefined,
    errors: fieldErrorsIn(errors),
    fromServer: words !== '',
  })
}

/** What a request that got no answer means. */
export const networkErrorFrom = (cause: unknown): ApiError =>
  new ApiError(cause instanceof Error ? NETWORK : 'Network error occurred', { status: 0, fromServer: false })

/** The words for a person: the error's own, else the fallback of the screen. */
export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof Error && error.message) || fallback

/** The server's words on one field of a form. */
export const fieldErrorOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError ? error.errors.find(entry => entry.field === field)?.message : undefined
