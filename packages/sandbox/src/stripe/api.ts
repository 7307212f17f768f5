import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { Stripe } from 'stripe'
import { newCustomer, newPrice, newProduct } from './catalogue.ts'
import type { Checkout } from './checkout.ts'
import { invalid, StripeApiError } from './errors.ts'
import { expand } from './expand.ts'
import type { StripeFaults } from './faults.ts'
import { guard, type IdempotencyStore, keepAnswer, replayAnswers } from './guard.ts'
import { LISTS } from './lists.ts'
import { mergedMetadata, Parameters, read } from './parameters.ts'
import type { Payments, StripeDeps } from './payments.ts'
import { newId, type StripeObject } from './store.ts'
import type { Subscriptions } from './subscriptions.ts'

interface Deps extends StripeDeps {
  secretKey: string
  payments: Payments
  subscriptions: Subscriptions
  checkout: Checkout
  faults: StripeFaults
  answers: IdempotencyStore
}

/** The part of the Stripe API that a subscription business uses; mounted below `/v1`. */
export function stripeApi(deps: Deps): Express {
  const { store, emit, now, checkout, subscriptions, payments } = deps
  const api = express()
  api.set('query parser', 'extended').disable('x-powered-by').disable('etag')
  api.use(express.urlencoded({ extended: true, limit: '1mb' }))
  api.use(guard(deps))
  api.use(replayAnswers(deps.answers))

  /** One transaction: what changes, and the answer that is kept for a repeat. */
  const answer = (request: Request, response: Response, act: () => object) => {
    const body = store.transaction(() => {
      const { expand: paths = [] } = read(Parameters.expandOnly, {
        expand: request.body?.expand ?? request.query.expand,
      })
      const expanded = expand(store, act(), paths)
      keepAnswer(response, expanded)
      return expanded
    })
    response.json(body)
  }
  const post = (path: string, act: (body: unknown, id: string) => object) =>
    api.post(path, (request, response) => {
      answer(request, response, () => act(request.body, String(request.params.id)))
    })

  post('/customers', body => {
    const { email, ...given } = read(Parameters.customer, body)
    const made = store.put(newCustomer({ ...given, email: email || undefined }, now()))
    emit('customer.created', made)
    return made
  })
  post('/customers/:id', (body, id) => {
    const before = store.get<Stripe.Customer>('customer', id)
    const { metadata, expand: _, ...given } = read(Parameters.customer, body)
    const changes = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value || null]))
    const cleared = (body as { metadata?: unknown }).metadata === ''
    const after = store.put<Stripe.Customer>({
      ...before,
      ...changes,
      metadata: mergedMetadata(before.metadata, metadata, cleared),
    })
    emit('customer.updated', after)
    return after
  })
  post('/products', body => {
    const made = store.put(newProduct(read(Parameters.product, body), now()))
    emit('product.created', made)
    return made
  })
  post('/prices', body => {
    const given = read(Parameters.price, body)
    if (!given.product && !given.product_data)
      throw invalid('You must specify either `product` or `product_data` when creating a price.')
    const product = given.product
      ? store.get<Stripe.Product>('product', given.product, 'product')
      : store.put(newProduct({ name: given.product_data?.name ?? '' }, now()))
    const made = store.put(
      newPrice(
        {
          product: product.id,
          currency: given.currency,
          unitAmount: given.unit_amount,
          recurring: given.recurring && {
            interval: given.recurring.interval,
            intervalCount: given.recurring.interval_count ?? 1,
          },
          lookupKey: given.lookup_key,
          nickname: given.nickname ?? product.name,
          metadata: given.metadata,
        },
        now(),
      ),
    )
    emit('price.created', made)
    return made
  })

  post('/checkout/sessions', body => {
    const given = read(Parameters.checkout, body)
    if (given.customer && given.customer_email)
      throw invalid('You may only specify one of these parameters: customer, customer_email.')
    const [item = { price: '', quantity: 1 }] = given.line_items
    return checkout.create({
      price: item.price,
      quantity: item.quantity,
      successUrl: given.success_url,
      cancelUrl: given.cancel_url,
      customer: given.customer,
      customerEmail: given.customer_email,
      clientReferenceId: given.client_reference_id,
      metadata: given.metadata,
      subscriptionMetadata: given.subscription_data?.metadata,
      expiresAt: given.expires_at,
    })
  })
  post('/checkout/sessions/:id/expire', (_body, id) => checkout.expire(id).session)
  api.get('/checkout/sessions/:id', (request, response) => {
    answer(request, response, () => checkout.get(request.params.id))
  })

  post('/subscriptions/:id', (body, id) => {
    const { cancel_at_period_end, cancel_at, metadata } = read(Parameters.subscriptionUpdate, body)
    const before = store.get<Stripe.Subscription>('subscription', id)
    return subscriptions.update(id, {
      cancelAtPeriodEnd: cancel_at_period_end,
      cancelAt: cancel_at,
      metadata:
        metadata &&
        mergedMetadata(before.metadata, metadata, (body as { metadata?: unknown }).metadata === ''),
    })
  })
  api.delete('/subscriptions/:id', (request, response) => {
    answer(request, response, () => subscriptions.cancelNow(request.params.id))
  })
  post('/refunds', body => {
    const { payment_intent: paymentIntent, ...given } = read(Parameters.refund, body)
    return payments.refund({ ...given, paymentIntent })
  })
  post('/billing_portal/sessions', body => {
    const given = read(Parameters.portal, body)
    store.get('customer', given.customer, 'customer')
    return store.put(portalSession(given))
  })

  for (const { path, object, where } of LISTS) {
    api.get(path, (request, response) => {
      const page = read(Parameters.list, request.query)
      const { data, hasMore } = store.list(object, where(request.query), {
        limit: page.limit,
        startingAfter: page.starting_after,
        endingBefore: page.ending_before,
      })
      answer(request, response, () => ({ object: 'list', url: `/v1${path}`, has_more: hasMore, data }))
    })
    api.get(`${path}/:id`, (request, response) => {
      answer(request, response, () => store.get(object, String(request.params.id)))
    })
  }

  api.use((request: Request) => {
    throw new StripeApiError(
      404,
      `Unrecognized request URL (${request.method}: /v1${request.path}). If it is one of Stripe's, the stand-in does not have it.`,
    )
  })
  api.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error)
    const known = asStripeError(error)
    if (!known) return next(error)
    response.status(known.status).json(known.body())
  })
  return api

  function portalSession(given: {
    customer: string
    return_url?: string
  }): Stripe.BillingPortal.Session & StripeObject {
    const id = newId('bps')
    return {
      id,
      object: 'billing_portal.session',
      configuration: 'bpc_sandbox',
      created: now(),
      customer: given.customer,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: null,
      on_behalf_of: null,
      return_url: given.return_url ?? null,
      url: deps.pageUrl(`/stripe/portal/${id}`),
    }
  }
}

function asStripeError(error: unknown) {
  if (error instanceof StripeApiError) return error
  if (error instanceof Error && 'status' in error && Number(error.status) < 500) return invalid(error.message)
  return null
}
