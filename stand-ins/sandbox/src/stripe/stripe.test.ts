import { eventually } from '@voxscribe/service/testing'
import Stripe from 'stripe'
import { type Both, startBoth } from '../testing/running.ts'
import { stripeClient, stripeSettings } from '../testing/stripe.ts'
import { SANDBOX_PRICE_ID } from './index.ts'

let both: Both
let stripe: Stripe
beforeEach(async () => {
  both = await startBoth({ stripe: stripeSettings })
  stripe = stripeClient(both.sandbox.stripeUrl!)
})
afterEach(() => both.stop())

const client = (options: Parameters<typeof stripeClient>[1]) => stripeClient(both.sandbox.stripeUrl!, options)
const listPoems = () => newPrice().then(() => stripe.prices.list({ expand: ['data.poem'] }))

const newPrice = () =>
  stripe.prices.create({
    currency: 'usd',
    unit_amount: 499,
    recurring: { interval: 'month' },
    product_data: { name: 'Monthly plan' },
  })

const newSession = async (more: Stripe.Checkout.SessionCreateParams = {}) =>
  stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: (await newPrice()).id, quantity: 1 }],
    success_url: 'http://app.test/ok?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://app.test/cancel',
    client_reference_id: 'u1',
    customer: (await stripe.customers.create({ email: 'ann@example.com' })).id,
    metadata: { user_id: 'u1' },
    subscription_data: { metadata: { user_id: 'u1' } },
    ...more,
  })

const press = (path: string, body: unknown = {}) => both.call('POST', `/api/stripe${path}`, body)

async function bought() {
  const session = await newSession()
  await press(`/checkout/${session.id}/pay`)
  const paid = await stripe.checkout.sessions.retrieve(session.id)
  return { session: paid, subscription: await subscriptionOf(paid) }
}

const subscriptionOf = ({ subscription }: Stripe.Checkout.Session) =>
  stripe.subscriptions.retrieve(subscription as string)

const events = (): Stripe.Event[] =>
  both.product.received.map(({ body, headers }) =>
    stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), stripeSettings.webhookSecret),
  )
const typesOf = () => events().map(({ type }) => type)
const arrives = (...types: string[]) =>
  eventually(() => types.every(type => typesOf().includes(type as Stripe.Event.Type)))
const failure = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('it worked')
    },
    (error: Stripe.errors.StripeError) => error,
  )

describe('a purchase', () => {
  test('when it is paid, then session, subscription and invoice agree, and the events are signed', async () => {
    const { session, subscription } = await bought()
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'u1',
      amount_total: 499,
    })
    const [item] = subscription.items.data
    expect(subscription).toMatchObject({
      status: 'active',
      metadata: { user_id: 'u1' },
    })
    expect(subscription).not.toHaveProperty('current_period_end')
    expect(item!.current_period_end - item!.current_period_start).toBeGreaterThanOrEqual(28 * 86_400)
    const invoices = await stripe.invoices.list({
      customer: session.customer as string,
      limit: 10,
      expand: ['data.payments'],
    })
    expect(invoices.data).toHaveLength(1)
    expect(invoices.data[0]).toMatchObject({
      status: 'paid',
      billing_reason: 'subscription_create',
      parent: { subscription_details: { subscription: subscription.id, metadata: { user_id: 'u1' } } },
      lines: { data: [{ period: { start: item!.current_period_start, end: item!.current_period_end } }] },
      payments: { data: [{ payment: { type: 'payment_intent' } }] },
    })
    await arrives(
      'checkout.session.completed',
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.paid',
    )
  })

  test('when the payer completes the payment page, then the browser returns with the session id', async () => {
    const session = await newSession()
    const page = await (await fetch(session.url!)).text()
    expect(page).toContain('Monthly plan')
    expect(page).toContain('$4.99')
    const answer = await fetch(`${session.url}/pay`, { method: 'POST', redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`http://app.test/ok?session_id=${session.id}`)
  })
})

describe('money back', () => {
  test('when it is refunded in two parts, then the second makes it whole and a third is refused', async () => {
    const { session } = await bought()
    const customer = session.customer as string
    const { data } = await stripe.invoices.list({ customer, expand: ['data.payments'] })
    const intent = data[0]!.payments!.data[0]!.payment.payment_intent as string
    await stripe.refunds.create({ payment_intent: intent, amount: 100, reason: 'requested_by_customer' })
    const rest = await stripe.refunds.create({ payment_intent: intent })
    expect(rest).toMatchObject({ amount: 399, status: 'succeeded' })
    const charge = await stripe.charges.retrieve(rest.charge as string)
    expect(charge).toMatchObject({ amount_refunded: 499, refunded: true })
    expect(await failure(stripe.refunds.create({ payment_intent: intent }))).toMatchObject({
      code: 'charge_already_refunded',
    })
    await eventually(() => typesOf().filter(type => type === 'charge.refunded').length === 2)
  })
})

describe('the API', () => {
  test('when an idempotency key repeats, then the response does too; for another body, an error', async () => {
    const one = await stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'k1' })
    const two = await stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'k1' })
    expect(two.id).toBe(one.id)
    expect(two.lastResponse.headers['idempotent-replayed']).toBe('true')
    const other = await failure(stripe.customers.create({ email: 'b@example.com' }, { idempotencyKey: 'k1' }))
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  })

  test('when the answer is lost, then the library tries again and nothing happens twice', async () => {
    await press('/faults', { lost: 1 })
    const trying = client({ maxNetworkRetries: 2 })
    const customer = await trying.customers.create({ email: 'a@example.com' })
    const { body } = await both.call('GET', '/api/stripe/events?type=customer.created')
    expect(body.events.map((event: Stripe.Event) => (event.data.object as { id: string }).id)).toEqual([
      customer.id,
    ])
  })

  test.each([
    ['error', Stripe.errors.StripeAPIError],
    ['rateLimited', Stripe.errors.StripeRateLimitError],
    ['hang', Stripe.errors.StripeConnectionError],
  ])('when %s is switched on, then one call fails so', async (fault, kind) => {
    await press('/faults', { [fault]: 1 })
    expect(await failure(client({ timeout: 200 }).prices.list())).toBeInstanceOf(kind)
    expect((await stripe.prices.list()).data).toMatchObject([{ id: SANDBOX_PRICE_ID }])
  })

  test('when a list has more than was asked for, then it says so, the newest first', async () => {
    const ids: string[] = []
    for (let count = 0; count < 4; count++) ids.unshift((await newPrice()).id)
    const { data, has_more } = await stripe.prices.list({ limit: 3 })
    expect(data.map(({ id }) => id)).toEqual(ids.slice(0, 3))
    expect(has_more).toBe(true)
  })

  test.each([
    ['a wrong key', () => client({ key: 'sk_test_other' }).prices.list(), 401, undefined],
    ['an unknown subscription', () => stripe.subscriptions.retrieve('sub_x'), 404, 'resource_missing'],
    [
      'an unknown price',
      () => newSession({ line_items: [{ price: 'price_x', quantity: 1 }] }),
      400,
      'resource_missing',
    ],
    ['no success address', () => newSession({ success_url: undefined }), 400, 'parameter_missing'],
    ['an unknown customer', () => newSession({ customer: 'cus_x' }), 400, 'resource_missing'],
    ['a language that it does not speak', () => newSession({ locale: 'hi' }), 400, undefined],
    ['a limit of 0', () => stripe.prices.list({ limit: 0 }), 400, undefined],
    ['an unknown property to expand', listPoems, 400, undefined],
  ])('when it is given %s, then it answers as Stripe does', async (_what, call, status, code) => {
    const error = await failure(call())
    expect([error.statusCode, error.code]).toEqual([status, code])
    expect(error.requestId).toMatch(/^req_/)
  })
})

describe('webhooks', () => {
  test('when the product refuses, then the event comes again, newly signed, also after a restart', async () => {
    both.product.answer.status = 500
    const { id } = await stripe.customers.create({ email: 'a@example.com' })
    await eventually(() => both.product.received.length > 0)
    await both.restart()
    both.product.answer.status = 200
    const taken = async () =>
      (await both.call('GET', '/api/stripe/webhooks')).body.deliveries[0].status === 'delivered'
    await eventually(taken)
    expect(events().every(event => (event.data.object as { id: string }).id === id)).toBe(true)
  })

  test('when they are held back, then nothing comes until they are let go', async () => {
    await press('/webhooks', { paused: true })
    await stripe.customers.create({})
    const { body } = await both.call('GET', '/api/stripe/webhooks')
    expect(body).toMatchObject({ paused: true, deliveries: [{ status: 'waiting', attempts: 0 }] })
    expect(both.product.received).toEqual([])
    await press('/webhooks', { paused: false })
    await arrives('customer.created')
  })

  test('when an event is sent again, then it has the same id', async () => {
    await stripe.customers.create({})
    await arrives('customer.created')
    const { body } = await both.call('GET', '/api/stripe/events?type=customer.created')
    await press(`/webhooks/${body.events[0].id}/resend`)
    await eventually(() => both.product.received.length === 2)
    expect(new Set(events().map(({ id }) => id)).size).toBe(1)
  })
})

test('when the page is opened after a purchase, then it shows the buyer, escaped', async () => {
  const { id: customer } = await stripe.customers.create({ email: '"<img/src=x>"@example.com' })
  const session = await newSession({ customer })
  await press(`/checkout/${session.id}/pay`)
  const page = await (await fetch(`${both.sandbox.url}/stripe`)).text()
  expect(page).toContain('&lt;img/src=x&gt;')
  expect(page).not.toContain('<img')
})
