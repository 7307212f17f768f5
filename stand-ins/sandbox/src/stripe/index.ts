import { createHmac } from 'node:crypto'
import { createFaults } from '../faults.ts'
import { createDeliveries, type Shared } from '../webhook-delivery.ts'
import { stripeApi } from './api.ts'
import { createCheckout } from './checkout.ts'
import { createAct, stripeControlApi } from './control-api.ts'
import { StripeFaultCounts } from './guard.ts'
import { newPrice } from './objects.ts'
import type { PageUrl } from './parameters.ts'
import { createPayments } from './payments.ts'
import { createStripeStore } from './store.ts'
import { createSubscriptions } from './subscriptions.ts'

/** The price of the paid plan, created at the first start. */
export const SANDBOX_PRICE_ID = 'price_sandbox'
const PRICE = { currency: 'usd', unit_amount: 499, product_data: { name: 'Voxscribe Pro' } }

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
}

/** Stripe's signature over `t.body`; `t` is the time of sending. */
function stripeSignature(secret: string, body: string) {
  const seconds = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { 'stripe-signature': `t=${seconds},v1=${mac}` }
}

export type StripeRoutes = ReturnType<typeof createStripe>

/** The Stripe stand-in: its API, its webhooks, and the actions of a payer, a bank or time. */
export function createStripe(given: Shared & { stripe: StripeSettings; pageUrl: PageUrl }) {
  const { db, pageUrl } = given
  const { secretKey, webhookSecret } = given.stripe
  const sign = (body: string) => stripeSignature(webhookSecret, body)
  const deliveries = createDeliveries(given, { provider: 'stripe', sign })
  const store = createStripeStore(db, deliveries)
  if (!store.find('price', SANDBOX_PRICE_ID)) store.put({ ...newPrice(PRICE), id: SANDBOX_PRICE_ID })
  const payments = createPayments(store)
  const subscriptions = createSubscriptions(store, payments)
  const checkout = createCheckout(store, subscriptions, pageUrl)
  const faults = createFaults(db, 'stripe-faults', StripeFaultCounts)
  const parts = { store, payments, subscriptions, checkout }
  const act = createAct(parts)
  return {
    store,
    subscriptions,
    checkout,
    act,
    api: stripeApi({ ...parts, db, secretKey, faults, pageUrl }),
    control: stripeControlApi(store, faults, deliveries, act),
    stop: deliveries.stop,
  }
}
