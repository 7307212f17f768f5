import type { Database } from '../database.ts'
import type { Settings } from '../settings.ts'
import type { Deliveries, Target } from '../webhook-delivery.ts'
import { stripeApi } from './api.ts'
import { createCheckout } from './checkout.ts'
import { createActions, stripeControlApi } from './control-api.ts'
import { createEmit, stripeSignature } from './events.ts'
import { createStripeFaults } from './guard.ts'
import { createPayments, type StripeDeps } from './payments.ts'
import { createStripeStore } from './store.ts'
import { createSubscriptions } from './subscriptions.ts'

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
}

export type StripeRoutes = ReturnType<ReturnType<typeof createStripe>['serve']>

/** The Stripe stand-in: the API, the webhooks, and what a payer, a bank or time can do. */
export function createStripe(given: {
  stripe: StripeSettings
  db: Database
  settings: Settings
  appUrl: string
  pageUrl: (path: string) => string
}) {
  const { db, pageUrl } = given
  const { secretKey, webhookSecret } = given.stripe
  const store = createStripeStore(db)
  const now = () => Math.floor(Date.now() / 1000)
  const target: Target = {
    url: `${given.appUrl}/webhooks/stripe`,
    sign: body => stripeSignature(webhookSecret, body),
  }
  return {
    target,
    serve(deliveries: Deliveries) {
      const deps: StripeDeps = { store, emit: createEmit({ store, deliveries, now }), now, pageUrl }
      const payments = createPayments(deps)
      const subscriptions = createSubscriptions({ ...deps, payments })
      const checkout = createCheckout({ ...deps, payments, subscriptions })
      const faults = createStripeFaults(given.settings)
      const actions = createActions({ store, payments, subscriptions, checkout })
      const controls = { store, subscriptions, checkout, faults, deliveries, actions }
      return {
        ...controls,
        api: stripeApi({ ...deps, db, secretKey, payments, subscriptions, checkout, faults }),
        control: stripeControlApi(controls),
      }
    },
  }
}
