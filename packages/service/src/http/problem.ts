import type { FieldError } from '@voxscribe/contracts/http'

/** Kinds of errors in the words of the domain; `http.ts` alone knows the status code of each kind. */
export type ProblemKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'rate_limited'
  | 'bad_gateway'
  | 'unavailable'

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
export const invalidField = (field: string, message: string): Problem => invalid([{ field, message }])
export const unauthorized = (message = 'Unauthorized', code?: string): Problem =>
  new Problem('unauthorized', message, { code })
export const notFound = (message = 'Resource not found.', code?: string): Problem =>
  new Problem('not_found', message, { code })
export const conflict = (message: string, code?: string): Problem =>
  new Problem('conflict', message, { code })
export const gone = (message: string, code?: string): Problem => new Problem('gone', message, { code })
export const unavailable = (message: string, code?: string): Problem =>
  new Problem('unavailable', message, { code })
export const partAway = (): Problem =>
  unavailable('This part of the service is not available right now. Please try again in a moment.')
export const badGateway = (message: string, code?: string): Problem =>
  new Problem('bad_gateway', message, { code })
export const rateLimited = (
  retryAfterSeconds: number,
  message = 'Too many attempts. Please wait a moment and try again.',
): Problem => new Problem('rate_limited', message, { retryAfterSeconds })
