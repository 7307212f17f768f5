import { randomBytes } from 'node:crypto'
import type { Given, PageUrl } from './parameters.ts'

// The fields of Stripe's objects that the product reads and the pages show; Stripe has others, which are null.

type Metadata = Record<string, string>
export type Outcome = 'paid' | 'declined'

const DAY_SECONDS = 24 * 3600

/** Unix seconds. */
export const unixNow = () => Math.floor(Date.now() / 1000)

/** Returns an id in Stripe's form: prefix, underscore, letters and digits. */
const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

function base<Name extends string>(prefix: string, object: Name, metadata: Metadata = {}) {
  return { id: newId(prefix), object, created: unixNow(), livemode: false, metadata }
}

export function newCustomer({ email, name, metadata }: Given<'customer'>) {
  return {
    ...base('cus', 'customer', metadata),
    email: email || null,
    name: name || null,
    deleted: undefined as true | undefined,
  }
}

export type Price = ReturnType<typeof newPrice>
export function newPrice({ product_data, currency, unit_amount }: Omit<Given<'price'>, 'recurring'>) {
  return {
    ...base('price', 'price'),
    active: true,
    currency,
    nickname: product_data.name,
    recurring: { interval: 'month', interval_count: 1 },
    unit_amount,
  }
}

export type Session = ReturnType<typeof newSession>
export function newSession(given: Given<'checkout'>, price: Price, pageUrl: PageUrl) {
  const known = base('cs_test', 'checkout.session', given.metadata)
  return {
    ...known,
    amount_total: price.unit_amount,
    cancel_url: given.cancel_url ?? null,
    mode: 'subscription',
    client_reference_id: given.client_reference_id ?? null,
    currency: price.currency,
    customer: given.customer,
    locale: given.locale ?? null,
    expires_at: known.created + DAY_SECONDS,
    invoice: null as string | null,
    payment_status: 'unpaid' as 'paid' | 'unpaid',
    /** The price and the subscription's metadata; Stripe doesn't show them here. */
    sandbox_plan: { price: price.id, metadata: given.subscription_data?.metadata },
    status: 'open' as 'open' | 'complete' | 'expired',
    subscription: null as string | null,
    success_url: given.success_url,
    url: pageUrl(`/stripe/pay/${known.id}`) as string | null,
  }
}

export type Subscription = ReturnType<typeof newSubscription>
export function newSubscription(customer: string, price: Price, metadata?: Metadata) {
  const now = unixNow()
  const item = {
    ...base('si', 'subscription_item'),
    current_period_start: now,
    current_period_end: monthAfter(now),
    price,
  }
  return {
    ...base('sub', 'subscription', metadata),
    billing_cycle_anchor: now,
    cancel_at: null as number | null,
    cancel_at_period_end: false,
    customer,
    ended_at: null as number | null,
    items: { object: 'list', data: [item] },
    latest_invoice: '',
    status: 'incomplete' as 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'canceled',
  }
}

/** Returns the subscription's only item; the stand-in has one price. */
export function itemOf(subscription: Subscription) {
  const [item] = subscription.items.data
  if (!item) throw new Error(`${subscription.id} has no item`)
  return item
}

export type Invoice = ReturnType<typeof newInvoice>
/** An invoice for the subscription's current period, finalized and open. */
export function newInvoice(
  subscription: Subscription,
  billing_reason: 'subscription_create' | 'subscription_cycle',
) {
  const { price, current_period_start: start, current_period_end: end } = itemOf(subscription)
  const total = price.unit_amount
  const line = { ...base('il', 'line_item'), amount: total, period: { start, end } }
  return {
    ...base('in', 'invoice'),
    amount_due: total,
    amount_paid: 0,
    attempt_count: 0,
    billing_reason,
    currency: price.currency,
    customer: subscription.customer,
    lines: { object: 'list', data: [line] },
    parent: {
      type: 'subscription_details',
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    },
    /** The payment that Stripe shows in the invoice's `payments` when they are expanded. */
    sandbox_intent: newId('pi'),
    status: 'open' as 'open' | 'paid' | 'void',
    status_transitions: { paid_at: null as number | null },
  }
}

/** JSON path of the subscription in an invoice. */
export const OF_SUBSCRIPTION = '$.parent.subscription_details.subscription'

export type Charge = ReturnType<typeof newCharge>
export function newCharge({ amount_due: amount, currency, customer, sandbox_intent }: Invoice) {
  return {
    ...base('ch', 'charge'),
    amount,
    amount_refunded: 0,
    currency,
    customer,
    disputed: false,
    payment_intent: sandbox_intent,
    refunded: false,
  }
}

export function newRefund({ id, currency, payment_intent }: Charge, amount: number) {
  const status = 'succeeded'
  return { ...base('re', 'refund'), amount, charge: id, currency, payment_intent, status }
}

export function newDispute({ id, amount, currency, payment_intent }: Charge) {
  return {
    ...base('du', 'dispute'),
    amount,
    charge: id,
    currency,
    payment_intent,
    reason: 'fraudulent',
    status: 'needs_response' as 'needs_response' | 'won' | 'lost',
  }
}

export type Portal = ReturnType<typeof newPortal>
export function newPortal({ customer, locale, return_url }: Given<'portal'>, pageUrl: PageUrl) {
  const known = base('bps', 'billing_portal.session')
  return {
    ...known,
    customer,
    locale: locale ?? null,
    return_url,
    url: pageUrl(`/stripe/portal/${known.id}`),
  }
}

/** An event with the object's state at that moment. */
export function newEvent(type: string, data: { object: object; previous_attributes?: object }) {
  return { ...base('evt', 'event'), api_version: API_VERSION, data, type }
}

const API_VERSION = '2026-10-28.endive'

/** All stored kinds of objects, by Stripe's name. */
export interface Objects {
  customer: ReturnType<typeof newCustomer>
  price: Price
  'checkout.session': Session
  subscription: Subscription
  invoice: Invoice
  charge: Charge
  refund: ReturnType<typeof newRefund>
  dispute: ReturnType<typeof newDispute>
  'billing_portal.session': Portal
  event: ReturnType<typeof newEvent>
}

/** Returns the end of the month from `start` (unix seconds), on the anchor's day: 31 January, 28 February, 31 March. */
export function monthAfter(start: number, anchor = start): number {
  const date = new Date(start * 1000)
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(new Date(anchor * 1000).getUTCDate(), lastDay))
  return date.getTime() / 1000
}
