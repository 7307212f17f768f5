import { ACCOUNT_BLOCKED, reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { english } from '@voxscribe/languages'
import { conflict, forbidden, invalidField, Problem, unauthorized } from '@voxscribe/service'

const TAKEN = {
  email: 'An account with this email already exists',
  phone: 'This WhatsApp number is already registered',
}

export const taken = (field: keyof typeof TAKEN): Problem => conflict(TAKEN[field], `${field}_taken`)

/** Avoids the word "unauthorized", on which clients sign out. */
export const wrongCredentials = (): Problem =>
  unauthorized('Invalid email or password', 'invalid_credentials')
/** Inside a session, where 401 would sign out. */
export const wrongPassword = (): Problem => forbidden('Invalid password', 'invalid_password')
export const badResetToken = (): Problem =>
  invalidField('token', 'Invalid or expired reset token', 'bad_reset_token')
export const badUndoToken = (): Problem => invalidField('token', 'Invalid or expired link')
export const tooManyEmailChanges = (retryAfterSeconds: number): Problem =>
  new Problem('rate_limited', 'You’ve changed your email too often. Please try again in a few days.', {
    code: 'too_many_email_changes',
    retryAfterSeconds,
  })
export const busyAccount = (): Problem =>
  conflict('Your profile was changed elsewhere at the same moment. Please try again.', 'profile_changed')
export const accountBlocked = (support: string): Problem =>
  forbidden(sentenceOf(english, reason(ACCOUNT_BLOCKED, { support })), ACCOUNT_BLOCKED)
