import { Stripe } from 'stripe'

/** The API version of responses; events should have it as well. */
export const STRIPE_VERSION = Stripe.API_VERSION
