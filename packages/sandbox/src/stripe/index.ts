import type { Database } from '../database.ts'
import { createFaults } from '../faults.ts'
import type { Deliveries } from '../webhook-delivery.ts'
import { stripeApi } from './api.ts'
import { createCheckout } from './checkout.ts'
import { createActions, stripeControlApi } from './control-api.ts'
import { createEmit, stripeSignature } from './events.ts'
import { StripeFaultCounts } from './guard.ts'
import type { PageUrl } from './parameters.ts'
import { createPayments, type StripeDeps } from './payments.ts'
import { createStripeStore } from './store.ts'
import { createSubscriptions } from './subscriptions.ts'

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
}

export type StripeRoutes = ReturnType<typeof createStripe>

/** The Stripe stand-in: the API, the webhooks, and what a payer, a bank or time can do. */
export function createStripe(given: {
  stripe: StripeSettings
  db: Database
  deliveries: Deliveries
  appUrl: string
  pageUrl: PageUrl
}) {
  const { db, deliveries, pageUrl } = given
  const { secretKey, webhookSecret } = given.stripe
  const store = createStripeStore(db)
  const now = () => Math.floor(Date.now() / 1000)
  deliveries.sendTo('stripe', {
    url: `${given.appUrl}/webhooks/stripe`,
    sign: body => stripeSignature(webhookSecret, body),
  })
  const deps: StripeDeps = { store, emit: createEmit({ store, deliveries, now }), now, pageUrl }
  const payments = createPayments(deps)
  const subscriptions = createSubscriptions({ ...deps, payments })
  const checkout = createCheckout({ ...deps, payments, subscriptions })
  const faults = createFaults(db, 'stripe-faults', StripeFaultCounts)
  const actions = createActions({ store, payments, subscriptions, checkout })
  const controls = { store, subscriptions, checkout, faults, deliveries, actions }
  return {
    ...controls,
    api: stripeApi({ ...deps, db, secretKey, payments, subscriptions, checkout, faults }),
    control: stripeControlApi(controls),
  }
}
