import express, { type Express, type Request, type Response } from 'express'
import type { Database } from '../database.ts'
import { answerErrors } from '../input.ts'
import type { Checkout } from './checkout.ts'
import { invalid, stripeError } from './errors.ts'
import { createIdempotency, guard, type StripeFaults } from './guard.ts'
import { newCustomer, newPortal, newPrice } from './objects.ts'
import { type Given, Parameters, read } from './parameters.ts'
import type { Payments, StripeDeps } from './payments.ts'
import type { Subscriptions } from './subscriptions.ts'

interface Deps extends StripeDeps {
  db: Database
  secretKey: string
  payments: Payments
  subscriptions: Subscriptions
  checkout: Checkout
  faults: StripeFaults
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
  /** Acts in one transaction, which also stores the answer for a repeat. */
  const on = (act: Act) => (request: Request, response: Response) => {
    const answer = store.transaction(() => {
      const made = act(request.body, String(request.params.id), request)
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
    return store.put({ ...before, email, name, metadata: { ...before.metadata, ...metadata } })
  })
  post('/prices', body => store.put(newPrice(read(Parameters.price, body), now())))
  post('/checkout/sessions', body => checkout.create(read(Parameters.checkout, body)))
  post('/subscriptions/:id', (body, id) =>
    subscriptions.update(id, read(Parameters.subscriptionUpdate, body)),
  )
  api.delete(
    '/subscriptions/:id',
    on((_body, id) => subscriptions.cancelNow(id)),
  )
  post('/refunds', body => {
    const { payment_intent, amount } = read(Parameters.refund, body)
    return payments.refund(payments.chargeOf(payment_intent), amount)
  })
  post('/billing_portal/sessions', body => {
    const given = read(Parameters.portal, body)
    store.get('customer', given.customer, 'customer')
    return store.put(newPortal(given, now(), pageUrl))
  })
  get('/checkout/sessions/:id', (_body, id) => checkout.get(id))
  for (const kind of ['customer', 'price', 'subscription', 'charge', 'dispute'] as const)
    get(`/${kind}s/:id`, (_body, id) => store.get(kind, id))
  const list = (path: string, find: (given: Given<'list'>, count: number) => object[]) =>
    get(path, (_body, _id, { query }) => {
      const given = read(Parameters.list, query)
      return pageOf(find(given, given.limit + 1), given.limit)
    })
  list('/prices', ({ lookup_keys: keys }, count) => store.list('price', { '$.lookup_key': keys?.[0] }, count))
  list('/checkout/sessions', ({ customer }, count) =>
    store.list('checkout.session', { '$.customer': customer }, count),
  )
  list('/invoices', ({ customer, expand }, count) => {
    const found = store.list('invoice', { '$.customer': customer }, count)
    const paymentsOf = (id: string) => pageOf(store.list('invoice_payment', { '$.invoice': id }))
    return expand ? found.map(invoice => ({ ...invoice, payments: paymentsOf(invoice.id) })) : found
  })
  api.use((request: Request) => {
    throw stripeError(404, `Unrecognized request URL (${request.method}: /v1${request.path}).`)
  })
  api.use(answerErrors(message => invalid(message)))
  return api
}

const pageOf = (found: object[], limit = found.length) => ({
  object: 'list',
  has_more: found.length > limit,
  data: found.slice(0, limit),
})
