import type { FieldError } from '@voxscribe/contracts/http'
import { DAY_IS_FULL, reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { REFUSALS, refusalIn } from '@voxscribe/contracts/refusals'
import { currentLanguage, i18n, whereReaderIs } from '../language/i18n.ts'
import { NETWORK } from './network.ts'

/** A failed call. `status` is 0 if there was no response; `code` is empty if the response had none. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: FieldError[]
  readonly code: string
  /** Seconds until the same call may succeed. */
  readonly waitSeconds: number | undefined

  constructor(message: string, status: number, errors: FieldError[] = [], code = '', waitSeconds?: number) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
    this.code = code
    this.waitSeconds = waitSeconds
  }
}

const BY_STATUS: Record<number, string> = {
  400: REFUSALS.invalid.text,
  401: /*i18n*/ 'Authentication failed.',
  403: /*i18n*/ 'Access denied.',
  404: REFUSALS.not_found.text,
  409: /*i18n*/ 'Conflict. Resource already exists.',
}

const SERVER_ERROR = /*i18n*/ 'Server error. Please try again later.'

const defaultFor = (status: number): string =>
  i18n.t(BY_STATUS[status] ?? (status >= 500 ? SERVER_ERROR : /*i18n*/ 'Something went wrong'))

/** Replaces sentences that are written for programs or need facts that only the service has. */
const ON_PAGE: Record<string, string> = {
  account_blocked: /*i18n*/ 'Your account is blocked. Please write to our support.',
  impossible_number: /*i18n*/ 'This is not a possible WhatsApp number in this country',
  note_deleted: /*i18n*/ 'The note of this file was deleted. Please add the file once more.',
  server_error: SERVER_ERROR,
  too_large: /*i18n*/ 'This file is too large. Please send it in shorter parts.',
  upload_under_way: /*i18n*/ 'This file is being sent right now. Try again in a moment.',
}

/** In English the server's sentence, as it may have more facts; else ours for its code. Times are the reader's. */
function translated(message: string, code = '', waitSeconds?: number): string {
  if (code === DAY_IS_FULL && waitSeconds)
    return sentenceOf(
      whereReaderIs(),
      reason(code, { until: new Date(Date.now() + waitSeconds * 1000).toISOString() }),
    )
  if (currentLanguage() === 'en') return message
  if (code === 'not_audio_or_video' || code === 'kind_not_read') return sentenceOf(i18n, reason(code))
  const ours = ON_PAGE[code]
  return ours ? i18n.t(ours) : (refusalIn(i18n, code, message, waitSeconds) ?? i18n.t(message))
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const fieldErrorsIn = (value: unknown): FieldError[] =>
  Array.isArray(value)
    ? value
        .filter(entry => typeof entry?.field === 'string' && typeof entry?.message === 'string')
        .map(({ field, message, code }) => ({ field, message: translated(message, code) }))
    : []

/**
 * Returns the error of an unsuccessful response. Its message is empty for a 200 without one: the screen has its own.
 * `retryAfter`: the value of the header, which may be missing.
 */
export function errorFrom(status: number, answer: unknown, retryAfter?: unknown): ApiError {
  const { message, errors, code } = Object(answer)
  const worked = status >= 200 && status < 300
  const waitSeconds = Number(retryAfter) || undefined
  const sentence = translated(textIn(message), errors?.[0]?.code ?? code, waitSeconds)
  return new ApiError(
    sentence || (worked ? '' : defaultFor(status)),
    status,
    fieldErrorsIn(errors),
    code,
    waitSeconds,
  )
}

/** Returns the error of a request that got no response. */
export const networkErrorFrom = (cause: unknown): ApiError =>
  new ApiError(i18n.t(cause instanceof Error ? NETWORK : /*i18n*/ 'Network error occurred'), 0)
