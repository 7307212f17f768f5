import { eventually, tokenFor } from '@voxscribe/service/testing'
import { shopForAll, sign } from '../testing/shop.ts'

const shop = shopForAll()
beforeEach(() => {
  shop.webhooks.passOn = null
})

const OF_A_PURCHASE = [
  'customer.subscription.created',
  'invoice.paid',
  'invoice.payment_succeeded',
  'customer.subscription.updated',
  'checkout.session.completed',
]

/** The five events of a paid purchase, with their webhooks held back. */
async function unheardPurchase() {
  const seen = shop.webhooks.received.length
  const { userId } = await shop.paid()
  const events = await eventually(() => {
    const news = shop.webhooks.received.slice(seen)
    const found = OF_A_PURCHASE.map(type => news.find(event => event.type === type))
    return found.every(event => event !== undefined) && found
  })
  return { userId, bodies: events.map(({ body }) => body) }
}

const permutations = <T>(items: T[]): T[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map(rest => [item, ...rest]))

describe('the webhook', () => {
  test('when the five events of a purchase come in any order, then the outcome is the same', async () => {
    const orders = permutations([0, 1, 2, 3, 4])
    // All 120 orders in CI, every seventh elsewhere.
    for (const order of process.env.CI ? orders : orders.filter((_, at) => at % 7 === 0)) {
      const { userId, bodies } = await unheardPurchase()
      for (const index of order) expect((await shop.deliver(String(bodies[index]))).status).toBe(200)
      const { current_period_end: _end, ...status } = await shop.statusOf(userId)
      const { payments } = (await shop.get(userId, 'payment-history')).body.data
      await eventually(() => shop.changesOf(userId).length > 0)
      expect(status).toEqual({
        plan: 'monthly',
        status: 'active',
        subscription_minutes: 1000,
        used_minutes: 0,
        remaining_minutes: 1000,
        payment_problem: false,
      })
      expect(payments).toMatchObject([{ amount: 4.99, paymentStatus: 'paid' }])
      expect(shop.changesOf(userId)).toEqual(['started'])
    }
  })

  test('when a webhook changes a plan, then the news of it carries the id of that request', async () => {
    const { userId, bodies } = await unheardPurchase()
    const requests: (string | null)[] = []
    for (const body of bodies) requests.push((await shop.deliver(body)).requestId)
    const started = await eventually(() =>
      shop.bus.sent('SubscriptionChanged').find(({ data }) => data.userId === userId),
    )
    expect(requests).toContain(started.traceId)
  })

  test('when all events come at once and each several times, then the plan begins once', async () => {
    const { userId, bodies } = await unheardPurchase()
    const answers = await Promise.all([...bodies, ...bodies, ...bodies].map(body => shop.deliver(body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await shop.statusOf(userId)).toMatchObject({ plan: 'monthly', used_minutes: 0 })
    await eventually(() => shop.changesOf(userId).length > 0)
    expect(shop.changesOf(userId)).toEqual(['started'])
  })

  test('when an event comes again, then Stripe is not asked about it again', async () => {
    const [body = ''] = (await unheardPurchase()).bodies
    await shop.deliver(body)
    shop.calls.calls.length = 0
    expect((await shop.deliver(body)).status).toBe(200)
    expect(shop.calls.calls).toEqual([])
  })

  test('when an answer of Stripe is overtaken by a newer one, then the older does not overwrite it', async () => {
    const { userId, bodies } = await unheardPurchase()
    for (const body of bodies) await shop.deliver(body)
    const subscription = JSON.parse(String(bodies[0])).data.object.id
    const seen = shop.webhooks.received.length
    await shop.atStripe.subscriptions.update(subscription, { metadata: { note: 'one' } })
    const first = await eventually(() =>
      shop.webhooks.received.slice(seen).find(({ type }) => type === 'customer.subscription.updated'),
    )
    const { promise, resolve } = Promise.withResolvers<void>()
    let held = false
    shop.calls.fate = ({ path }) => {
      if (held || !path.startsWith(`/v1/subscriptions/${subscription}`)) return 'pass'
      held = true
      return promise
    }
    const slow = shop.deliver(first.body)
    await eventually(() => held)
    const other = await shop.replica()
    try {
      const headers = { authorization: tokenFor(userId) }
      const canceled = await fetch(`${other.url}/api/stripe/cancel-subscription`, { method: 'POST', headers })
      expect((await canceled.json()).data.status).toBe('canceling')
    } finally {
      resolve()
      await other.stop()
    }
    expect((await slow).status).toBe(200)
    expect((await shop.statusOf(userId)).status).toBe('canceling')
  })

  const eventOf = (id: string, type: string, object: object) =>
    JSON.stringify({ id, object: 'event', type, data: { object } })
  const harmless = eventOf('evt_1', 'customer.created', { id: 'cus_1' })
  const MINUTE = 60_000
  test.each([
    ['is missing', () => null],
    ['is empty', () => ''],
    ['is nonsense', () => 'v1=abc'],
    ['is made with another secret', () => sign(harmless, { secret: 'whsec_other' })],
    ['is of another body', () => sign(`${harmless} `)],
    ['is six minutes old', () => sign(harmless, { at: Date.now() - 6 * MINUTE })],
    ['is of six minutes from now', () => sign(harmless, { at: Date.now() + 6 * MINUTE })],
  ])('when the signature %s, then the answer is 400', async (_what, signature) => {
    const answer = await shop.deliver(harmless, signature())
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_signature' } })
  })

  test.each([
    ['of a type that does not concern us', 'customer.created', { object: 'customer' }],
    [
      'of a subscription of no one',
      'customer.subscription.updated',
      { object: 'subscription', metadata: {}, customer: 'x' },
    ],
    ['of an invoice without a subscription', 'invoice.paid', { object: 'invoice', parent: null }],
    ['of an unknown session', 'checkout.session.completed', { object: 'checkout.session' }],
    ['of an unknown charge', 'charge.refunded', { object: 'charge', amount_refunded: 1 }],
  ])('when an event is %s, then it is taken and nothing happens', async (what, type, object) => {
    expect((await shop.deliver(eventOf(`evt ${what}`, type, { id: 'x', ...object }))).status).toBe(200)
  })

  test('when Stripe cannot be asked, then the event is refused, and works when it comes again', async () => {
    const { userId, bodies } = await unheardPurchase()
    const [body = ''] = bodies
    shop.calls.fate = () => 'error'
    expect((await shop.deliver(body)).status).toBe(500)
    expect((await shop.statusOf(userId)).plan).toBe('free')
    shop.calls.fate = () => 'pass'
    expect((await shop.deliver(body)).status).toBe(200)
    expect((await shop.statusOf(userId)).plan).toBe('monthly')
  })

  /** A paid invoice's event in the shape of API versions before 2025-03-31. */
  function ofOlderVersion(body: string, id: string) {
    const event = JSON.parse(body)
    const { parent, payments: _, ...invoice } = event.data.object
    const subscription = parent?.subscription_details?.subscription ?? null
    const older = { ...invoice, subscription, payment_intent: 'pi_1', charge: 'ch_1' }
    return JSON.stringify({ ...event, id, api_version: '2024-06-20', data: { object: older } })
  }

  test('when a paid invoice comes in an older version, without its subscription, then the customer’s is asked about', async () => {
    const { userId, bodies } = await unheardPurchase()
    const body = ofOlderVersion(bodies[OF_A_PURCHASE.indexOf('invoice.paid')] ?? '', 'evt older')
    shop.calls.fate = () => 'error'
    expect((await shop.deliver(body)).status).toBe(500)
    expect((await shop.statusOf(userId)).plan).toBe('free')
    shop.calls.fate = () => 'pass'
    expect((await shop.deliver(body)).status).toBe(200)
    expect(await shop.statusOf(userId)).toMatchObject({ plan: 'monthly', remaining_minutes: 1000 })
  })

  test('when a customer of ours without a subscription has paid, then Stripe repeats it; a stranger’s payment is taken', async () => {
    const { sessionId } = await shop.started()
    const { customer } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
    const paid = (id: string, of: unknown) =>
      eventOf(id, 'invoice.paid', { id: 'in_1', object: 'invoice', status: 'paid', customer: of })
    expect((await shop.deliver(paid('evt ours', customer))).status).toBe(500)
    expect((await shop.deliver(paid('evt expanded', { id: customer, object: 'customer' }))).status).toBe(500)
    expect((await shop.deliver(paid('evt stranger', 'cus_stranger'))).status).toBe(200)
  })

  test.each([
    ['data', { id: 'evt_2', type: 'invoice.paid' }],
    ['an object', { id: 'evt_3', type: 'invoice.paid', data: {} }],
    ['an id', { type: 'invoice.paid', data: { object: {} } }],
    ['anything', null],
  ])('when a signed event comes without %s, then the answer is 400', async (_what, event) => {
    const answer = await shop.deliver(JSON.stringify(event))
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_event' } })
  })

  test('when the body is over 4 MB, then the answer is 413', async () => {
    expect((await shop.deliver(JSON.stringify({ x: 'x'.repeat(4 * 1024 * 1024) }))).status).toBe(413)
  })

  test('when several signatures stand in the header, then one that is right is enough', async () => {
    expect((await shop.deliver(harmless, `${sign(harmless)},v1=${'0'.repeat(64)}`)).status).toBe(200)
  })
})
