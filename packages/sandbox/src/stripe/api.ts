import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { Database } from '../database.ts'
import type { Checkout } from './checkout.ts'
import { invalid, StripeApiError } from './errors.ts'
import { createIdempotency, guard, type StripeFaults } from './guard.ts'
import { newCustomer, newPortal, newPrice, type Objects } from './objects.ts'
import { Parameters, read } from './parameters.ts'
import type { Payments, StripeDeps } from './payments.ts'
import type { StripeStore } from './store.ts'
import type { Subscriptions } from './subscriptions.ts'

interface Deps extends StripeDeps {
  db: Database
  secretKey: string
  payments: Payments
  subscriptions: Subscriptions
  checkout: Checkout
  faults: StripeFaults
}

/** Objects that can be read below `/v1` by id; as a list only what the product lists, by the field that it asks for. */
const READABLE: Record<string, { object: keyof Objects; by?: 'customer' | 'lookup_key' }> = {
  '/customers': { object: 'customer' },
  '/prices': { object: 'price', by: 'lookup_key' },
  '/checkout/sessions': { object: 'checkout.session', by: 'customer' },
  '/subscriptions': { object: 'subscription' },
  '/invoices': { object: 'invoice', by: 'customer' },
  '/charges': { object: 'charge' },
  '/disputes': { object: 'dispute' },
}

/** The part of the Stripe API that a subscription business uses; mounted below `/v1`. */
export function stripeApi(deps: Deps): Express {
  const { store, emit, now, checkout, subscriptions, payments, pageUrl } = deps
  const idempotency = createIdempotency(deps.db)
  const api = express()
  api.set('query parser', 'extended').disable('x-powered-by').disable('etag')
  api.use(express.urlencoded({ extended: true, limit: '1mb' }))
  api.use(guard(deps), idempotency.replay)

  type Act = (body: unknown, id: string, request: Request) => object
  /** Acts in one transaction: what changes, and the answer that is kept for a repeat. */
  const on = (act: Act) => (request: Request, response: Response) => {
    const answer = store.transaction(() => {
      const paths = read(Parameters.expand, { expand: request.body?.expand ?? request.query.expand }).expand
      const made = structuredClone(act(request.body, String(request.params.id), request))
      for (const path of paths) expand(store, made as Json, path)
      idempotency.keep(response, made)
      return made
    })
    response.json(answer)
  }
  const get = (path: string, act: Act) => api.get(path, on(act))
  const post = (path: string, act: Act) => api.post(path, on(act))

  post('/customers', body => {
    const made = store.put(newCustomer(read(Parameters.customer, body), now()))
    emit('customer.created', made)
    return made
  })
  post('/customers/:id', (body, id) => {
    const before = store.get('customer', id)
    const { email = before.email, name = before.name, metadata } = read(Parameters.customer, body)
    const after = store.put({ ...before, email, name, metadata: { ...before.metadata, ...metadata } })
    emit('customer.updated', after)
    return after
  })
  post('/prices', body => {
    const {
      currency,
      unit_amount: amount,
      lookup_key: lookupKey,
      product_data,
    } = read(Parameters.price, body)
    return store.put(newPrice({ currency, amount, lookupKey, name: product_data.name }, now()))
  })
  post('/checkout/sessions', body => {
    const given = read(Parameters.checkout, body)
    const [{ price }] = given.line_items
    return checkout.create({
      plan: { price, subscriptionMetadata: given.subscription_data?.metadata ?? {} },
      successUrl: given.success_url,
      cancelUrl: given.cancel_url,
      customer: given.customer,
      clientReferenceId: given.client_reference_id,
      metadata: given.metadata,
    })
  })
  post('/checkout/sessions/:id/expire', (_body, id) => checkout.expire(id).session)
  post('/subscriptions/:id', (body, id) => {
    const { cancel_at_period_end, cancel_at, metadata } = read(Parameters.subscriptionUpdate, body)
    return subscriptions.update(id, { atPeriodEnd: cancel_at_period_end, cancelAt: cancel_at, metadata })
  })
  api.delete(
    '/subscriptions/:id',
    on((_body, id) => subscriptions.cancelNow(id)),
  )
  post('/refunds', body => {
    const { payment_intent, ...given } = read(Parameters.refund, body)
    return payments.refund(payments.chargeOf(payment_intent), given)
  })
  post('/billing_portal/sessions', body => {
    const { customer, return_url: returnUrl } = read(Parameters.portal, body)
    store.get('customer', customer, 'customer')
    return store.put(newPortal({ customer, returnUrl, pageUrl }, now()))
  })
  for (const [path, { object, by }] of Object.entries(READABLE)) {
    if (by) get(path, (_body, _id, { query }) => listed(store, path, query))
    get(`${path}/:id`, (_body, id) =>
      object === 'checkout.session' ? checkout.get(id) : store.get(object, id),
    )
  }
  api.use((request: Request) => {
    throw new StripeApiError(404, `Unrecognized request URL (${request.method}: /v1${request.path}).`)
  })
  api.use(answerError)
  return api
}

function listed(store: StripeStore, path: string, query: Request['query']) {
  const { object, by } = READABLE[path]!
  const { limit, customer, lookup_keys: keys } = read(Parameters.list, query)
  const where = by === 'customer' ? { '$.customer': customer } : { '$.lookup_key': keys?.[0] }
  const found = store.list(object, where, limit + 1)
  return { object: 'list', url: `/v1${path}`, has_more: found.length > limit, data: found.slice(0, limit) }
}

type Json = Record<string, unknown>

/** Adds the payments of invoices where they are asked for: `payments` of one, `data.payments` of a list. */
function expand(store: StripeStore, answer: Json, path: string): void {
  const invoices = path === 'data.payments' ? answer.data : path === 'payments' && [answer]
  if (!Array.isArray(invoices))
    throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
  for (const invoice of invoices) {
    const data = store.list('invoice_payment', { '$.invoice': invoice.id })
    invoice.payments = { object: 'list', data }
  }
}

function answerError(error: unknown, _request: Request, response: Response, next: NextFunction) {
  if (response.headersSent || !(error instanceof Error)) return next(error)
  const refused = 'status' in error && Number(error.status) < 500
  const known = error instanceof StripeApiError ? error : refused && invalid(error.message)
  if (!known) return next(error)
  response.status(known.status).json(known.body())
}
