import { Stripe } from 'stripe'

/** The version of the API that answers have, and that events should have. */
export const STRIPE_VERSION = Stripe.API_VERSION
