import type { FieldError } from '@voxscribe/contracts/http'
import { reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { i18n } from '../language/i18n.ts'

const NETWORK = /*i18n*/ 'Network error. Please check your internet connection and try again.'

/** A call that did not work. `status` is 0 when no answer came; `code` is empty when it had none. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: FieldError[]
  readonly code: string

  constructor(message: string, status: number, errors: FieldError[] = [], code = '') {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
    this.code = code
  }
}

const BY_STATUS: Record<number, string> = {
  400: /*i18n*/ 'Invalid request. Please check your input.',
  401: /*i18n*/ 'Authentication failed.',
  403: /*i18n*/ 'Access denied.',
  404: /*i18n*/ 'Resource not found.',
  409: /*i18n*/ 'Conflict. Resource already exists.',
}

const defaultFor = (status: number): string =>
  i18n.t(
    BY_STATUS[status] ??
      (status >= 500 ? /*i18n*/ 'Server error. Please try again later.' : /*i18n*/ 'Something went wrong'),
  )

/** Sentences of the services’ codes. None of a code that ends a session: `saysSessionIsOver` reads the server's. */
const BY_CODE: Record<string, string> = {
  account_blocked: /*i18n*/ 'Your account is blocked. Please write to our support.',
  already_processing: /*i18n*/ 'This note is already being transcribed.',
  already_subscribed: /*i18n*/ 'You already have the paid plan. There is nothing more to buy.',
  bad_reset_token: /*i18n*/ 'Invalid or expired reset token',
  day_is_full:
    /*i18n*/ 'You’ve reached today’s limit for sending recordings. Please send this one again tomorrow.',
  disk_full:
    /*i18n*/ 'Nothing can be stored right now, because the disk of this service is full. Please try again later.',
  email_taken: /*i18n*/ 'An account with this email already exists',
  hook_off: /*i18n*/ 'This hook is off. Turn it on first.',
  https_needed: /*i18n*/ 'The address must begin with https://',
  impossible_number: /*i18n*/ 'This is not a possible WhatsApp number in this country',
  invalid_credentials: /*i18n*/ 'Invalid email or password',
  invalid_password: /*i18n*/ 'Invalid password',
  no_audio: /*i18n*/ 'There is no audio of this note to transcribe again. Please send it once more.',
  not_completed: /*i18n*/ 'There is no transcript of this note to export yet.',
  not_found: /*i18n*/ 'Resource not found.',
  not_subscribed: /*i18n*/ 'You have no paid plan at the moment.',
  note_deleted: /*i18n*/ 'The note of this file was deleted. Please add the file once more.',
  payment_pending: /*i18n*/ 'Your payment is still being processed. Please check again in a while.',
  payment_problem:
    /*i18n*/ 'Your last payment did not go through. Please give a new card on your subscription page; there is no need to buy the plan again.',
  payment_service_refused:
    /*i18n*/ 'The payment service refused the request. Please try again later or contact support.',
  payment_service_unavailable:
    /*i18n*/ 'The payment service does not answer right now. Please try again in a moment; you will not be charged twice.',
  payments_off: /*i18n*/ 'The paid plan cannot be bought here at the moment.',
  phone_taken: /*i18n*/ 'This WhatsApp number is already registered',
  price_changed: /*i18n*/ 'This price is not on offer. Please reload the page.',
  private_address: /*i18n*/ 'The address must be on the internet, not in a private network',
  profile_changed: /*i18n*/ 'Your profile was changed elsewhere at the same moment. Please try again.',
  purchase_changed: /*i18n*/ 'Your purchase changed in another window. Please reload the page.',
  rate_limited: /*i18n*/ 'Too many attempts. Please wait a moment and try again.',
  server_error: /*i18n*/ 'Server error. Please try again later.',
  session_not_found: /*i18n*/ 'This payment session was not found.',
  text_budget_spent:
    /*i18n*/ 'No more summaries and translations can be made this month. Please try again next month.',
  text_day_is_full:
    /*i18n*/ 'That’s as much as we can summarise and translate for you today. Please try again tomorrow.',
  too_large: /*i18n*/ 'This file is too large. Please send it in shorter parts.',
  too_many_email_changes: /*i18n*/ 'You’ve changed your email too often. Please try again in a few days.',
  too_many_hooks: /*i18n*/ 'You have as many hooks as there can be. Delete one that you no longer use.',
  too_many_keys: /*i18n*/ 'You have as many API keys as there can be. Delete one that you no longer use.',
  transcript_too_long: /*i18n*/ 'This transcript is too long. Please shorten it.',
  unavailable: /*i18n*/ 'This part of the service is not available right now. Please try again in a moment.',
  upload_under_way: /*i18n*/ 'This file is being sent right now. Try again in a moment.',
  version_conflict: /*i18n*/ 'Someone has changed this transcript meanwhile. Reload it and try again.',
}

/** In English the server's sentence, which may have more facts; else ours for the code, or for the same sentence. */
function said(message: string, code = ''): string {
  if (i18n.locale === 'en') return message
  if (code === 'not_audio_or_video') return sentenceOf(i18n, reason(code))
  return i18n.t(BY_CODE[code] ?? message)
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const fieldErrorsIn = (value: unknown): FieldError[] =>
  Array.isArray(value)
    ? value
        .filter(entry => typeof entry?.field === 'string' && typeof entry?.message === 'string')
        .map(({ field, message, code }) => ({ field, message: said(message, code) }))
    : []

/** Returns the error of an unsuccessful answer. For a 200 without a message it is empty: the screen has its own. */
export function errorFrom(status: number, answer: unknown): ApiError {
  const { message, errors, code } = Object(answer)
  const worked = status >= 200 && status < 300
  const sentence = said(textIn(message), errors?.[0]?.code ?? code)
  return new ApiError(sentence || (worked ? '' : defaultFor(status)), status, fieldErrorsIn(errors), code)
}

/** Returns the error of a request that got no answer. */
export const networkErrorFrom = (cause: unknown): ApiError =>
  new ApiError(i18n.t(cause instanceof Error ? NETWORK : /*i18n*/ 'Network error occurred'), 0)
