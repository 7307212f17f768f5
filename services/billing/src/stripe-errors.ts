import { badGateway, type Logger, unavailable } from '@voxscribe/service'
import { Stripe } from 'stripe'

export const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError

/** Null for what Stripe does not know. */
export const known = <T>(call: () => Promise<T>): Promise<T | null> =>
  call().catch(error => {
    if (isStripeError(error) && error.code === 'resource_missing') return null
    throw error
  })

/** One plain sentence for the person, everything for the log. */
export function refuse(error: unknown, log: Logger): never {
  if (!isStripeError(error)) throw error
  const { type, code, statusCode, requestId, message } = error
  log.error({ type, code, statusCode, requestId, reason: message }, 'Stripe did not do what was asked')
  const passing = !statusCode || statusCode >= 500 || statusCode === 429 || statusCode === 409
  throw passing
    ? paymentServiceAway()
    : badGateway(
        'The payment service refused the request. Please try again later or contact support.',
        'payment_service_refused',
      )
}

export const paymentServiceAway = () =>
  unavailable(
    'The payment service does not answer right now. Please try again in a moment; you will not be charged twice.',
    'payment_service_unavailable',
  )
