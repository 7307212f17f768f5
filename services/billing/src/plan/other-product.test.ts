import { eventually } from '@voxscribe/service/testing'
import { accountErased } from '../testing/events.ts'
import { newUser, shopForAll } from '../testing/shop.ts'

const shop = shopForAll()
beforeEach(() => {
  shop.webhooks.passOn = shop.url
})

async function subscriber() {
  const { userId, sessionId } = await shop.paid()
  await eventually(async () => (await shop.statusOf(userId)).plan === 'monthly')
  return { userId, ...(await soldIn(sessionId)) }
}

async function soldIn(sessionId: string) {
  const { customer, subscription } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
  return { customer: String(customer), subscription: String(subscription) }
}

/** Sells the customer another product on the same Stripe account. Returns the subscription. */
async function sellElse(customer: string, marks: object = {}): Promise<string> {
  const { prices, checkout } = shop.atStripe
  const { id: price } = await prices.create({
    currency: 'usd',
    unit_amount: 19_900,
    recurring: { interval: 'month' },
    product_data: { name: 'Consulting' },
  })
  const { id } = await checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'https://consulting.example/done',
    cancel_url: 'https://consulting.example/no',
    ...marks,
  })
  const before = shop.webhooks.received.length
  await shop.act(`checkout/${id}/pay`)
  const { subscription } = await soldIn(id)
  await eventually(() =>
    shop.webhooks.received.slice(before).some(({ body }) => body.includes('invoice.payment_succeeded')),
  )
  return subscription
}

const stateOf = async (id: string) => (await shop.atStripe.subscriptions.retrieve(id)).status
/** Writes that move money or end something. */
const taken = () =>
  shop.calls.calls.filter(({ method, path }) => method === 'DELETE' || path.startsWith('/v1/refunds'))

describe('when another product of the same account at Stripe bills a customer of ours', () => {
  test('who has the paid plan, then both stay as they are', async () => {
    const { userId, customer } = await subscriber()
    const before = await shop.statusOf(userId)
    const other = await sellElse(customer)
    await shop.act(`subscriptions/${other}/advance`)
    shop.clock.ahead = 40 * 86_400_000
    await shop.run('recheck-subscriptions')
    shop.clock.ahead = 0
    expect([await stateOf(other), taken()]).toEqual(['active', []])
    expect(await shop.statusOf(userId)).toEqual(before)
    expect((await shop.get(userId, 'payment-history')).body.data.payments).toHaveLength(1)
  })

  test('who has the free plan, then it stays so, and ours can be bought', async () => {
    const { userId, sessionId } = await shop.started()
    const { customer } = await soldIn(sessionId)
    await sellElse(customer)
    expect((await shop.statusOf(userId)).plan).toBe('free')
    await shop.act(`checkout/${sessionId}/expire`)
    expect((await shop.buy(userId)).status).toBe(200)
  })

  test('and refunds that, then nothing of ours changes', async () => {
    const { userId, customer, subscription } = await subscriber()
    const other = await sellElse(customer)
    await shop.act(`subscriptions/${other}/refund`)
    await eventually(() => shop.webhooks.received.some(({ body }) => body.includes('charge.refunded')))
    expect([await stateOf(subscription), (await shop.statusOf(userId)).plan]).toEqual(['active', 'monthly'])
  })

  test('who leaves, then only what is ours ends', async () => {
    const { userId, customer, subscription } = await subscriber()
    const other = await sellElse(customer)
    await shop.bus.publish(accountErased(userId))
    await eventually(async () => !(await shop.stored('accounts').findOne({ _id: userId })))
    expect([await stateOf(subscription), await stateOf(other)]).toEqual(['canceled', 'active'])
    expect((await shop.atStripe.customers.retrieve(customer)).deleted).toBeUndefined()
  })
})

test('when another product marks its people as we do, then two of its subscriptions are neither given nor refunded', async () => {
  const stranger = newUser()
  const { id: customer } = await shop.atStripe.customers.create({ email: 'eve@example.com' })
  const marks = {
    client_reference_id: stranger,
    metadata: { user_id: stranger },
    subscription_data: { metadata: { user_id: stranger } },
  }
  await sellElse(customer, marks)
  expect(await stateOf(await sellElse(customer, marks))).toBe('active')
  expect(taken()).toEqual([])
  expect(await shop.stored('accounts').findOne({ _id: stranger })).toBeNull()
})

test('when a session is another product’s, then it can’t be verified by whom it happens to name', async () => {
  const { userId, customer } = await subscriber()
  const { id: price } = await shop.atStripe.prices.create({
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
    product_data: { name: 'Consulting' },
  })
  const { id } = await shop.atStripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: userId,
    line_items: [{ price, quantity: 1 }],
    success_url: 'https://consulting.example/done',
  })
  await shop.act(`checkout/${id}/pay`)
  expect((await shop.verify(userId, id)).status).toBe(404)
})

test('when a customer of ours has paid a single invoice of something else, then Stripe need not repeat it', async () => {
  const { customer } = await subscriber()
  const { data } = await shop.atStripe.invoices.list({ customer })
  const [listed] = data
  // Like the listed invoice but without the subscription: from the event alone, it looks like a single invoice.
  const object = { ...listed, parent: null }
  const event = { id: 'evt_single', type: 'invoice.paid', data: { object } }
  expect((await shop.deliver(JSON.stringify(event))).status).toBe(200)
})
