import { type Logger, Problem, refusal } from '@voxscribe/service'
import type { Stripe } from 'stripe'

/** Checks a field that only Stripe's errors have: using their class would load the library. */
export const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Error && 'rawType' in error

/** Returns null for an object that Stripe doesn't know. */
export const known = <T>(call: () => Promise<T>): Promise<T | null> =>
  call().catch(error => {
    if (isStripeError(error) && isMissing(error)) return null
    throw error
  })

const isMissing = ({ code, statusCode }: Stripe.errors.StripeError) =>
  code === 'resource_missing' || statusCode === 404

/** Throws one plain sentence for the person, with Stripe's error as its `cause`, and logs the details. */
export function refuse(error: unknown, log: Logger): never {
  if (!isStripeError(error)) throw error
  const { type, code, statusCode, requestId, message } = error
  log.error({ type, code, statusCode, requestId, reason: message }, 'Stripe refused a call')
  const passing = !statusCode || statusCode >= 500 || statusCode === 429 || statusCode === 409
  throw Object.assign(refusal(passing ? 'payment_service_unavailable' : 'payment_service_refused'), {
    cause: error,
  })
}

/** Whether Stripe responded with an error, which it stores under the idempotency key; if not, the key can be reused. */
export const wasAnswered = (error: unknown): boolean => stripeErrorOf(error)?.statusCode !== undefined

/** Whether a call failed because its customer was deleted at Stripe, or never existed in this Stripe account. */
export function isCustomerGone(error: unknown): boolean {
  const { code, param, message } = stripeErrorOf(error) ?? {}
  return code === 'resource_missing' && (param === 'customer' || /^No such customer/.test(message ?? ''))
}

function stripeErrorOf(error: unknown): Stripe.errors.StripeError | null {
  const cause = error instanceof Problem ? error.cause : null
  return isStripeError(cause) ? cause : null
}
