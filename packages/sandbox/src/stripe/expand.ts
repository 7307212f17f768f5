import type { Stripe } from 'stripe'
import { invalid } from './errors.ts'
import { type CheckoutPlan, lineItemOf, planIdOf } from './session-object.ts'
import type { StripeObject, StripeStore } from './store.ts'

type Json = Record<string, unknown>

const OBJECTS: Record<string, string> = {
  cus: 'customer',
  sub: 'subscription',
  in: 'invoice',
  pi: 'payment_intent',
  ch: 'charge',
  prod: 'product',
  price: 'price',
  cs: 'checkout.session',
  re: 'refund',
  inpay: 'invoice_payment',
}
const DEEPEST = 4

const listOf = (url: string, data: unknown[]) => ({ object: 'list', url, has_more: false, data })

/** What the API leaves out unless it is asked for. */
function included(store: StripeStore, owner: StripeObject, name: string): unknown {
  const key = `${owner.object}.${name}`
  if (key === 'invoice.payments')
    return listOf(
      `/v1/invoices/${owner.id}/payments`,
      store.list('invoice_payment', { '$.invoice': owner.id }).data,
    )
  if (key === 'customer.subscriptions') {
    const { data } = store.list<Stripe.Subscription>('subscription', { '$.customer': owner.id })
    return listOf(
      `/v1/customers/${owner.id}/subscriptions`,
      data.filter(({ status }) => status !== 'canceled'),
    )
  }
  if (key === 'charge.refunds')
    return listOf(`/v1/charges/${owner.id}/refunds`, store.list('refund', { '$.charge': owner.id }).data)
  if (key === 'checkout.session.line_items') {
    const plan = store.get<CheckoutPlan>('sandbox.checkout_plan', planIdOf(owner.id))
    const price = store.get<Stripe.Price>('price', plan.price)
    const item = lineItemOf(owner as unknown as Stripe.Checkout.Session, price, plan.quantity)
    return listOf(`/v1/checkout/sessions/${owner.id}/line_items`, [item])
  }
  return undefined
}

function expandOne(store: StripeStore, owner: Json, path: string[], whole: string) {
  const [name = '', ...rest] = path
  let value = owner[name]
  if (value === undefined && typeof owner.object === 'string')
    value = included(store, owner as unknown as StripeObject, name)
  if (value === undefined) throw invalid(`This property cannot be expanded (${whole}).`, { param: 'expand' })
  if (typeof value === 'string') {
    const object = OBJECTS[value.split('_')[0] ?? '']
    const found = object && store.find(object, value)
    if (!found) throw invalid(`This property cannot be expanded (${whole}).`, { param: 'expand' })
    value = found
  }
  owner[name] = value
  if (!rest.length) return
  for (const next of Array.isArray(value) ? value : [value])
    if (next && typeof next === 'object') expandOne(store, next as Json, rest, whole)
}

/** Replaces ids by what they name: `subscription`, `latest_invoice.payments`, and `data.customer` in lists. */
export function expand<T extends object>(store: StripeStore, answer: T, paths: string[]): T {
  const copy = structuredClone(answer)
  for (const whole of paths) {
    const path = whole.split('.')
    if (path.length > DEEPEST)
      throw invalid(`You cannot expand more than ${DEEPEST} levels (${whole}).`, { param: 'expand' })
    expandOne(store, copy as Json, path, whole)
  }
  return copy
}
