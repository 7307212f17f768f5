import { type Logger, Problem, refusal } from '@voxscribe/service'
import type { Stripe } from 'stripe'

/** By a field that only Stripe's errors have: their class would load the library. */
export const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Error && 'rawType' in error

/** Null for what Stripe does not know. */
export const known = <T>(call: () => Promise<T>): Promise<T | null> =>
  call().catch(error => {
    if (isStripeError(error) && isMissing(error)) return null
    throw error
  })

const isMissing = ({ code, statusCode }: Stripe.errors.StripeError) =>
  code === 'resource_missing' || statusCode === 404

/** One plain sentence for the person, everything for the log; Stripe's own error is its `cause`. */
export function refuse(error: unknown, log: Logger): never {
  if (!isStripeError(error)) throw error
  const { type, code, statusCode, requestId, message } = error
  log.error({ type, code, statusCode, requestId, reason: message }, 'Stripe refused a call')
  const passing = !statusCode || statusCode >= 500 || statusCode === 429 || statusCode === 409
  throw Object.assign(refusal(passing ? 'payment_service_unavailable' : 'payment_service_refused'), {
    cause: error,
  })
}

/** Whether Stripe answered with an error, which it keeps for the idempotency key; else the same key may be sent again. */
export const wasAnswered = (error: unknown): boolean => stripeErrorOf(error)?.statusCode !== undefined

/** Whether a call failed because the customer it is for was deleted at Stripe, or never was in this account there. */
export function isCustomerGone(error: unknown): boolean {
  const { code, param, message } = stripeErrorOf(error) ?? {}
  return code === 'resource_missing' && (param === 'customer' || /^No such customer/.test(message ?? ''))
}

function stripeErrorOf(error: unknown): Stripe.errors.StripeError | null {
  const cause = error instanceof Problem ? error.cause : null
  return isStripeError(cause) ? cause : null
}
