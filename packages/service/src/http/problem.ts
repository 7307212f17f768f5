import type { FieldError } from '@voxscribe/contracts/http'

/** Kinds of errors in the words of the domain, and the only place that maps them to statuses. */
export const STATUS = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  server_error: 500,
  bad_gateway: 502,
  unavailable: 503,
} as const
type ProblemKind = keyof typeof STATUS

interface Details {
  /** A stable code for programs; default: the kind. */
  code?: string
  errors?: FieldError[]
  retryAfterSeconds?: number
}

/** A failure to report to a person, in one plain sentence. Anything else that is thrown becomes "Server error". */
export class Problem extends Error {
  readonly kind: ProblemKind
  readonly code: string
  readonly errors: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ProblemKind, message: string, details: Details = {}) {
    super(message)
    this.name = 'Problem'
    this.kind = kind
    this.code = details.code ?? kind
    this.errors = details.errors
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Bad input: the answer's message is that of the first field. */
export const invalid = (errors: FieldError[]): Problem =>
  new Problem('invalid', errors[0]?.message ?? 'Invalid request. Please check your input.', { errors })
export const invalidField = (field: string, message: string, code?: string): Problem =>
  invalid([{ field, message, code }])
export const unauthorized = (message = 'Unauthorized', code?: string): Problem =>
  new Problem('unauthorized', message, { code })
export const notFound = (message = 'Resource not found.', code?: string): Problem =>
  new Problem('not_found', message, { code })
const factoryOf = (kind: ProblemKind) => (message: string, code?: string) =>
  new Problem(kind, message, { code })
export const forbidden = factoryOf('forbidden')
export const conflict = factoryOf('conflict')
export const gone = factoryOf('gone')
export const unavailable = factoryOf('unavailable')
export const badGateway = factoryOf('bad_gateway')
export const serverError = (): Problem => new Problem('server_error', 'Server error')
export const partAway = (): Problem =>
  unavailable('This part of the service is not available right now. Please try again in a moment.')
export const diskIsFull = (): Problem =>
  unavailable(
    'Nothing can be stored right now, because the disk of this service is full. Please try again later.',
    'disk_full',
  )
export const rateLimited = (
  retryAfterSeconds: number,
  message = 'Too many attempts. Please wait a moment and try again.',
): Problem => new Problem('rate_limited', message, { retryAfterSeconds })
