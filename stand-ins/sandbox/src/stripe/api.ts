import express, { type Express, type Request, type Response } from 'express'
import type { z } from 'zod'
import type { Database } from '../database.ts'
import { answerErrors } from '../input.ts'
import type { StripeParts } from './control-api.ts'
import { invalid, stripeError } from './errors.ts'
import { createIdempotency, guard, type StripeFaults } from './guard.ts'
import { newCustomer, newPortal, newPrice, OF_SUBSCRIPTION } from './objects.ts'
import { type Given, type PageUrl, Parameters, read } from './parameters.ts'

interface Deps extends StripeParts {
  db: Database
  secretKey: string
  faults: StripeFaults
  pageUrl: PageUrl
}

/** The part of the Stripe API that a subscription business uses; mounted below `/v1`. */
export function stripeApi(deps: Deps): Express {
  const { store, checkout, subscriptions, payments, pageUrl } = deps
  const idempotency = createIdempotency(deps.db)
  const api = express()
  api.set('query parser', 'extended').disable('x-powered-by').disable('etag')
  api.use(express.urlencoded({ extended: true, limit: '1mb' }))
  api.use(guard(deps), idempotency.replay)

  /** Executes a call in one transaction, which also stores the response for a repeat. */
  const on = (act: (id: string, request: Request) => object) => (request: Request, response: Response) => {
    const answer = store.transaction(() => {
      const made = act(String(request.params.id), request)
      idempotency.keep(response, made)
      return made
    })
    response.json(answer)
  }
  const get = (path: string, find: (id: string) => object) => api.get(path, on(find))
  const post = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    act: (given: z.output<Schema>, id: string) => object,
  ) =>
    api.post(
      path,
      on((id, { body }) => act(read(schema, body), id)),
    )
  const list = (path: string, find: (given: Given<'list'>, count: number) => object[]) =>
    api.get(
      path,
      on((_id, { query }) => {
        const given = read(Parameters.list, query)
        return pageOf(find(given, given.limit + 1), given.limit)
      }),
    )

  post('/customers', Parameters.customer, given => store.emit('customer.created', newCustomer(given)))
  post('/customers/:id', Parameters.customer, ({ metadata, ...given }, id) => {
    const before = store.get('customer', id)
    return store.put({ ...before, ...given, metadata: { ...before.metadata, ...metadata } })
  })
  api.delete(
    '/customers/:id',
    on(id => {
      const { created, livemode } = store.get('customer', id)
      for (const subscription of subscriptions.ofCustomer(id)) subscriptions.cancelNow(subscription.id)
      const gone = { id, object: 'customer' as const, deleted: true as const }
      store.emit('customer.deleted', { ...gone, created, livemode, metadata: {}, email: null, name: null })
      return gone
    }),
  )
  post('/prices', Parameters.price, given => store.put(newPrice(given)))
  post('/checkout/sessions', Parameters.checkout, checkout.create)
  api.post(
    '/checkout/sessions/:id/expire',
    on(id => checkout.expire(id).session),
  )
  post('/subscriptions/:id', Parameters.subscriptionUpdate, (given, id) => subscriptions.update(id, given))
  api.delete('/subscriptions/:id', on(subscriptions.cancelNow))
  post('/refunds', Parameters.refund, ({ payment_intent, amount }) =>
    payments.refund(payments.chargeOf(payment_intent), amount),
  )
  post('/billing_portal/sessions', Parameters.portal, given => {
    store.get('customer', given.customer, 'customer')
    return store.put(newPortal(given, pageUrl))
  })
  get('/checkout/sessions/:id', checkout.get)
  // Finds deleted customers as well, like Stripe.
  get('/customers/:id', id => store.find('customer', id) ?? store.get('customer', id))
  for (const kind of ['price', 'subscription', 'charge', 'dispute'] as const)
    get(`/${kind}s/:id`, id => store.get(kind, id))
  list('/prices', (_given, count) => store.list('price', {}, count))
  list('/checkout/sessions', ({ customer }, count) =>
    store.list('checkout.session', { '$.customer': customer }, count),
  )
  list('/invoices', ({ customer, subscription, expand }, count) => {
    const found = store.list('invoice', { '$.customer': customer, [OF_SUBSCRIPTION]: subscription }, count)
    if (!expand) return found
    return found.map(invoice => {
      const payment = { type: 'payment_intent', payment_intent: invoice.sandbox_intent }
      const status = invoice.status === 'paid' ? 'paid' : 'open'
      return { ...invoice, payments: pageOf([{ object: 'invoice_payment', status, payment }]) }
    })
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
