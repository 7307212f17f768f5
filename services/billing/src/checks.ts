import { PAID_PLANS, priceOf } from '@voxscribe/contracts/plans'
import { type Check, check, offerOf, ok, onlyWith, skipped, wrong } from '@voxscribe/service'
import { Stripe } from 'stripe'
import type { z } from 'zod'
import { type billingSettings, priceIdsOf } from './settings.ts'
import { openStripe } from './stripe/calls.ts'
import { amountOf } from './stripe/facts.ts'

type BillingSettings = z.output<typeof billingSettings>

const TIMEOUT_MS = 10_000
/** Events that plans and payments depend on; docs/providers.md lists all. */
const EVENTS = [
  'checkout.session.completed',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
]

/** Versions of one release differ only in their dates; their objects have the same shape. */
const isOfRelease = (version: string) => version.split('.')[1] === Stripe.API_VERSION.split('.')[1]

/** Checks for the doctor. */
export function checks(settings: BillingSettings): Check[] {
  const { freeMinutes, plans } = offerOf(settings)
  const minutes = freeMinutes === null ? 'minutes have no limit' : `${freeMinutes} minutes a month are free`
  const offer = ok(`${minutes}, ${plans ? 'the paid plan is offered' : 'nothing is sold'}`)
  const stripe = stripeChecks(settings)
  return [
    check('offer', '', async () => offer),
    ...(plans
      ? onlyWith('STRIPE_SECRET_KEY', 'the sandbox stands in', ...stripe)
      : stripe.map(({ name }) => check(name, '', async () => skipped('nothing is sold')))),
  ]
}

function stripeChecks(settings: BillingSettings): Check[] {
  const { STRIPE_SECRET_KEY: secretKey = '', STRIPE_API_URL: apiUrl } = settings
  // The library tries each call twice.
  const stripe = () => openStripe({ secretKey, apiUrl, timeoutMs: TIMEOUT_MS / 2 })
  const url = `${settings.PUBLIC_URL}/webhooks/stripe`
  const wanted = PAID_PLANS.map(priceOf).join(', ')
  const newPrice = `Make a price of ${wanted} (Product catalogue), and set STRIPE_PRICE_ID to its id.`
  const newWebhook = `In Workbench → Webhooks, send the events of docs/providers.md to ${url}, in API version ${Stripe.API_VERSION}.`

  async function lookAtPrice() {
    const seen: string[] = []
    for (const id of Object.values(priceIdsOf(settings))) {
      const { active, unit_amount, currency, recurring } = await (await stripe()).prices.retrieve(id)
      seen.push(
        `${active ? '' : 'archived, '}${amountOf(unit_amount ?? 0, currency)} ${currency.toUpperCase()} a ${recurring?.interval}`,
      )
    }
    const saw = seen.join(', ')
    return saw === wanted ? ok(saw) : wrong(saw, newPrice)
  }

  async function lookAtWebhook() {
    const { data } = await (await stripe()).webhookEndpoints.list({ limit: 100 })
    const found = data.find(endpoint => endpoint.url === url && endpoint.status === 'enabled')
    if (!found) return wrong(`none of ${data.length} is enabled and goes to ${url}`, newWebhook)
    const sent = new Set<string>(found.enabled_events)
    const missing = sent.has('*') ? [] : EVENTS.filter(event => !sent.has(event))
    if (missing.length) return wrong(`it lacks ${missing.join(', ')}`, newWebhook)
    const version = found.api_version ?? 'the account’s default'
    return isOfRelease(version) ? ok(`it goes to ${url}`) : wrong(`its API version is ${version}`, newWebhook)
  }

  const newKey = `Set STRIPE_SECRET_KEY from Developers → API keys. ${newPrice}`
  return [
    check('stripe-price', newKey, lookAtPrice),
    check('stripe-webhook', newWebhook, lookAtWebhook, 'public-url', 'stripe-price'),
  ]
}
