import { eventually } from '@voxscribe/service/testing'
import type { Account } from '../minutes/account.ts'
import { profileChange, registration } from '../testing/events.ts'
import { newUser, shopForAll } from '../testing/shop.ts'

const shop = shopForAll()
beforeEach(() => {
  shop.webhooks.passOn = shop.url
})

let deliveries = 0
const subscriptionIdOf = async (sessionId: string) =>
  String((await shop.atStripe.checkout.sessions.retrieve(sessionId)).subscription)
const becomes = (userId: string, expected: object) =>
  eventually(async () => {
    expect(await shop.statusOf(userId)).toMatchObject(expected)
    return true
  })

const subscriptionOf = (subscriptionId: string) => shop.atStripe.subscriptions.retrieve(subscriptionId)
const advance = (subscriptionId: string, outcome: 'paid' | 'declined') =>
  shop.act(`subscriptions/${subscriptionId}/advance`, { outcome })
/** Waits until the history has these payments, in any order: payments within one second aren't ordered. */
const shows = (userId: string, ...expected: string[]) =>
  eventually(async () => {
    const { payments } = (await shop.get(userId, 'payment-history')).body.data
    const statuses = payments.map(({ paymentStatus }: { paymentStatus: string }) => paymentStatus)
    expect(statuses.sort()).toEqual(expected)
    return true
  })
const announces = (userId: string, ...changes: string[]) =>
  eventually(() => {
    expect(shop.changesOf(userId)).toEqual(changes)
    return true
  })

/** A user with the paid plan, with all webhooks processed. */
async function subscriber() {
  const { userId, sessionId } = await shop.paid()
  await becomes(userId, { plan: 'monthly' })
  return { userId, sessionId, subscriptionId: await subscriptionIdOf(sessionId) }
}

const FREE = { plan: 'free', status: 'active', subscription_minutes: 30, used_minutes: 0 }
const PAID = {
  plan: 'monthly',
  status: 'active',
  subscription_minutes: 1000,
  used_minutes: 0,
  payment_problem: false,
}

describe('a purchase', () => {
  test('when it is started, then Stripe is told who buys and where to lead back, with keys of ours', async () => {
    const userId = newUser()
    const registered = registration(userId)
    await shop.bus.publish(registered)
    await eventually(async () => {
      const { subscription } = (await shop.get(userId, 'subscription-details')).body.data
      return subscription.currentPeriodStart === registered.data.registeredAt
    })
    const { status, body } = await shop.buy(userId)
    expect([status, Object.keys(body.data).sort()]).toEqual([200, ['sessionId', 'url']])
    const session = await shop.atStripe.checkout.sessions.retrieve(body.data.sessionId)
    expect(session).toMatchObject({
      mode: 'subscription',
      url: body.data.url,
      client_reference_id: userId,
      metadata: { user_id: userId },
      amount_total: 499,
      currency: 'usd',
      success_url: 'https://voxscribe.example/subscription/success?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://voxscribe.example/subscription/cancel',
    })
    const customer = await shop.atStripe.customers.retrieve(String(session.customer))
    const metadata = { user_id: userId }
    expect(customer).toMatchObject({ email: `${userId}@example.com`, name: 'Ada Byron', metadata })
    const writes = shop.calls.calls.filter(({ method }) => method === 'POST')
    expect(writes.length).toBeGreaterThan(0)
    for (const { idempotencyKey } of writes) expect(idempotencyKey).toMatch(/^(customer|checkout)-/)
  })

  test.each([
    ['de', 'de'],
    ['pt-BR', 'pt-BR'],
    ['hi', 'auto'],
    ['tlh', 'en'],
  ])('when the page is in %s, then Stripe’s pages are in %s', async (page, stripes) => {
    const userId = newUser()
    const { body } = await shop.buy(userId, page)
    const session = await shop.atStripe.checkout.sessions.retrieve(body.data.sessionId)
    expect(session.locale).toBe(stripes)
    expect((await shop.post(userId, 'portal', undefined, page)).status).toBe(200)
    const portal = shop.calls.calls.findLast(({ path }) => path.includes('billing_portal'))
    expect(new URLSearchParams(portal?.body).get('locale')).toBe(stripes)
  })

  test('when it is paid, then there are 1000 minutes for Stripe’s period, and a payment entry', async () => {
    const { userId, subscriptionId } = await subscriber()
    const item = (await subscriptionOf(subscriptionId)).items.data[0]
    await becomes(userId, {
      ...PAID,
      remaining_minutes: 1000,
      current_period_end: new Date(Number(item?.current_period_end) * 1000).toISOString(),
    })
    const { data } = (await shop.get(userId, 'subscription-details')).body
    const price = { amount: 4.99, currency: 'usd' }
    expect(data.subscription).toMatchObject({ ...price, interval: 'month', minutesLeft: 1000 })
    expect(data.paymentHistory).toEqual([
      {
        ...price,
        id: expect.stringMatching(/^in_/),
        planType: 'monthly',
        createdAt: expect.any(String),
        paymentStatus: 'paid',
      },
    ])
    expect(shop.changesOf(userId)).toEqual(['started'])
    const updated = shop.bus.sent('QuotaUpdated').filter(({ data }) => data.userId === userId)
    expect(updated.map(({ data }) => [data.plan, data.totalSeconds, data.usedSeconds])).toEqual([
      ['monthly', 60_000, 0],
    ])
  })

  test('when the page asks before any webhook, then it gets the plan; webhooks change nothing more', async () => {
    shop.webhooks.passOn = null
    const { userId, sessionId } = await shop.paid()
    const { status, body } = await shop.verify(userId, sessionId)
    const session = { id: sessionId, paymentStatus: 'paid', amountTotal: 4.99, currency: 'usd' }
    expect([status, body.data]).toMatchObject([200, { session }])
    const before = await shop.statusOf(userId)
    expect(before).toMatchObject(PAID)
    expect(body.data.subscription.currentPeriodEnd).toBe(before.current_period_end)
    const events = await eventually(() => {
      const mine = shop.webhooks.received.filter(
        ({ body }) => body.includes(sessionId) || body.includes(userId),
      )
      return mine.length >= 3 && mine
    })
    for (const event of events) expect((await shop.deliver(event.body)).status).toBe(200)
    expect(await shop.statusOf(userId)).toEqual(before)
    expect(shop.changesOf(userId)).toEqual(['started'])
  })

  test('when someone else’s or an unknown session is asked for, then it is not found', async () => {
    const { sessionId } = await shop.started()
    const other = newUser()
    expect((await shop.verify(other, sessionId)).status).toBe(404)
    expect((await shop.verify(other, 'cs_test_unknown')).status).toBe(404)
    expect((await shop.verify(other, '../customers')).status).toBe(404)
    expect((await shop.verify(other, ' ')).body.errors[0].field).toBe('sessionId')
  })

  test.each([
    ['is not paid yet', [], 'unpaid'],
    ['was left by the cancel link', ['cancel'], 'unpaid'],
    ['had its card declined', ['decline'], 'unpaid'],
    ['is left to a slow payment', ['leave-unpaid'], 'unpaid'],
    ['has expired', ['expire'], 'canceled'],
  ])('when the session %s, then it says so and nothing is given', async (_state, actions, paymentStatus) => {
    const { userId, sessionId } = await shop.started()
    for (const action of actions) await shop.act(`checkout/${sessionId}/${action}`)
    const { status, body } = await shop.verify(userId, sessionId)
    expect([status, body.data]).toMatchObject([200, { session: { paymentStatus }, subscription: null }])
    expect(await shop.statusOf(userId)).toMatchObject(FREE)
  })

  test('when a slow payment arrives, then the plan begins; until then nothing more can be bought', async () => {
    const { userId, sessionId } = await shop.started()
    await shop.act(`checkout/${sessionId}/leave-unpaid`)
    await shop.verify(userId, sessionId)
    expect(await shop.buy(userId)).toMatchObject({ status: 409, body: { code: 'payment_pending' } })
    await shop.act(`checkout/${sessionId}/payment-arrives`)
    await becomes(userId, PAID)
  })

  test('when a session has expired, then the next purchase is a new one', async () => {
    const first = await shop.started()
    await shop.act(`checkout/${first.sessionId}/expire`)
    const { sessionId } = (await shop.buy(first.userId)).body.data
    expect(sessionId).not.toBe(first.sessionId)
    await shop.act(`checkout/${sessionId}/pay`)
    await becomes(first.userId, PAID)
  })

  test('when a person with the plan wants to buy it, then it is 409 and no session is made', async () => {
    const { userId } = await subscriber()
    shop.calls.calls.length = 0
    expect(await shop.buy(userId)).toMatchObject({ status: 409, body: { code: 'already_subscribed' } })
    expect(shop.calls.calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('when it was paid but no news came, then a second purchase finds that out', async () => {
    shop.webhooks.passOn = null
    const { userId } = await shop.paid()
    expect((await shop.buy(userId)).status).toBe(409)
    expect(await shop.statusOf(userId)).toMatchObject(PAID)
  })

  test.each([
    [{}, 'planType'],
    [{ planType: 'yearly' }, 'planType'],
    [{ planType: 'monthly', priceId: 'price_of_another' }, 'priceId'],
    [{ planType: 'monthly', priceId: { $gt: '' } }, 'priceId'],
  ])('when %j is asked for, then the answer is 400 on %s', async (body, field) => {
    const answer = await shop.post(newUser(), 'create-checkout-session', body)
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
  })

  test('when the price on offer is asked for by its id, then it is accepted', async () => {
    const { data } = await (await fetch(`${shop.url}/internal/config`)).json()
    const { priceId } = data
    const answer = await shop.post(newUser(), 'create-checkout-session', { planType: 'monthly', priceId })
    expect(answer.status).toBe(200)
  })
})

describe('two browser tabs', () => {
  test('when both buy at once, then both get the same session, and one subscription comes of it', async () => {
    const userId = newUser()
    const [one, two] = await Promise.all([shop.buy(userId), shop.buy(userId)])
    expect(one.body.data).toEqual(two.body.data)
    const { sessionId } = one.body.data
    await shop.act(`checkout/${sessionId}/pay`)
    expect((await shop.act(`checkout/${sessionId}/pay`)).status).toBe(400)
    await becomes(userId, PAID)
    const { customer } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
    expect((await shop.atStripe.invoices.list({ customer: String(customer) })).data).toHaveLength(1)
  })

  test('when a second subscription is paid anyway, then it is cancelled and its money given back', async () => {
    const { userId, sessionId, subscriptionId } = await subscriber()
    const { customer } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
    const price = (await subscriptionOf(subscriptionId)).items.data[0]?.price.id
    const second = await shop.atStripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: String(price), quantity: 1 }],
      customer: String(customer),
      client_reference_id: userId,
      subscription_data: { metadata: { user_id: userId } },
      success_url: 'https://voxscribe.example/',
    })
    await shop.act(`checkout/${second.id}/pay`)
    const secondId = await subscriptionIdOf(second.id)
    await eventually(async () => (await subscriptionOf(secondId)).status === 'canceled')
    const isRefund = ({ type, body }: (typeof shop.webhooks.received)[number]) =>
      type === 'charge.refunded' && JSON.parse(body).data.object.customer === customer
    await eventually(() => shop.webhooks.received.some(isRefund))
    await shows(userId, 'paid', 'refunded')
    expect((await subscriptionOf(subscriptionId)).status).toBe('active')
    expect(await shop.statusOf(userId)).toMatchObject(PAID)
    await announces(userId, 'started')
  })

  test('when the first one, left unpaid, is paid after a second was bought, then only that payment is given back', async () => {
    const { userId, subscriptionId } = await subscriber()
    shop.calls.fate = ({ method, path }) =>
      method === 'GET' && path.startsWith(`/v1/subscriptions/${subscriptionId}`)
        ? answer => JSON.stringify({ ...JSON.parse(answer), status: 'unpaid' })
        : 'pass'
    await shop.atStripe.subscriptions.update(subscriptionId, { metadata: { retries: 'over' } })
    await becomes(userId, FREE)
    const { sessionId } = await shop.started(userId)
    await shop.act(`checkout/${sessionId}/pay`)
    await becomes(userId, PAID)
    shop.calls.fate = () => 'pass'
    await advance(subscriptionId, 'paid')
    await eventually(async () => (await subscriptionOf(subscriptionId)).status === 'canceled')
    await shows(userId, 'paid', 'paid', 'refunded')
    expect(await shop.statusOf(userId)).toMatchObject(PAID)
    await announces(userId, 'started', 'ended', 'started')
  })
})

describe('a subscription', () => {
  test('when it is cancelled, then it runs to the end of its period, and can be taken back', async () => {
    const { userId, subscriptionId } = await subscriber()
    const canceled = await shop.post(userId, 'cancel-subscription')
    expect([canceled.status, canceled.body.message]).toEqual([
      200,
      'Your subscription has been scheduled for cancellation at the end of the current billing period. You will continue to have access to Pro features until then.',
    ])
    expect(canceled.body.data).toMatchObject({ ...PAID, status: 'canceling' })
    expect((await subscriptionOf(subscriptionId)).cancel_at_period_end).toBe(true)
    expect((await shop.post(userId, 'cancel-subscription')).body.data.status).toBe('canceling')
    const back = await shop.post(userId, 'reactivate-subscription')
    expect([back.body.message, back.body.data.status]).toEqual([
      'Your subscription has been reactivated successfully!',
      'active',
    ])
    expect((await subscriptionOf(subscriptionId)).cancel_at_period_end).toBe(false)
    await announces(userId, 'started', 'cancel-scheduled', 'reactivated')
  })

  test('when its account is blocked, then it can still be cancelled, and nothing else be done', async () => {
    const { userId, subscriptionId } = await subscriber()
    await shop.bus.publish(profileChange(userId, { blocked: true, revision: 1 }))
    expect((await shop.get(userId, 'subscription-status')).status).toBe(401)
    expect((await shop.post(userId, 'reactivate-subscription')).status).toBe(401)
    const { status, body } = await shop.post(userId, 'cancel-subscription')
    expect([status, body.data.status]).toEqual([200, 'canceling'])
    expect((await subscriptionOf(subscriptionId)).cancel_at_period_end).toBe(true)
  })

  const setBlocked = (userId: string, blocked: boolean, revision: number) =>
    shop.bus.publish(profileChange(userId, { blocked, revision }))
  async function isEnding(userId: string, subscriptionId: string): Promise<boolean> {
    await shop.run('recheck-subscriptions')
    const { cancel_at_period_end } = await subscriptionOf(subscriptionId)
    const { subscription } = (await shop.stored('accounts').findOne({ _id: userId })) as never as Account
    expect(subscription?.state).toBe(cancel_at_period_end ? 'canceling' : 'active')
    return cancel_at_period_end
  }

  test('when its account is blocked, then no further period is paid, until the block is lifted', async () => {
    const { userId, subscriptionId } = await subscriber()
    await setBlocked(userId, true, 1)
    expect(await isEnding(userId, subscriptionId)).toBe(true)
    // The person resumes the subscription in a portal that was still open.
    await shop.atStripe.subscriptions.update(subscriptionId, { cancel_at_period_end: false })
    await eventually(() => isEnding(userId, subscriptionId))
    await setBlocked(userId, false, 2)
    expect(await isEnding(userId, subscriptionId)).toBe(false)
    // The person cancels at Stripe, where we don't see it.
    await shop.atStripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
    await becomes(userId, { status: 'canceling' })
    await setBlocked(userId, false, 3)
    expect(await isEnding(userId, subscriptionId)).toBe(true)
    shop.clock.ahead = 60 * 60_000
    expect(await isEnding(userId, subscriptionId)).toBe(true)
    shop.clock.ahead = 0
  })

  test('when Stripe is away as its account is blocked, then it is cancelled later', async () => {
    const { userId, subscriptionId } = await subscriber()
    shop.calls.fate = ({ method }) => (method === 'POST' ? 'error' : 'pass')
    await setBlocked(userId, true, 1)
    expect(await isEnding(userId, subscriptionId)).toBe(false)
    shop.calls.fate = () => 'pass'
    shop.clock.ahead = 2 * 60_000
    expect(await isEnding(userId, subscriptionId)).toBe(true)
    shop.clock.ahead = 0
  })

  test.each(['before', 'during'])(
    'when the person cancelled it %s the block, then the end of the block changes nothing',
    async when => {
      const { userId, subscriptionId } = await subscriber()
      if (when === 'before') await shop.post(userId, 'cancel-subscription')
      await setBlocked(userId, true, 1)
      expect(await isEnding(userId, subscriptionId)).toBe(true)
      if (when === 'during')
        expect((await shop.post(userId, 'cancel-subscription')).body.data.status).toBe('canceling')
      await setBlocked(userId, false, 2)
      expect(await isEnding(userId, subscriptionId)).toBe(true)
    },
  )

  test('when it is cancelled in Stripe’s portal, then it is canceling and can be reactivated', async () => {
    const { userId, subscriptionId } = await subscriber()
    const item = (await subscriptionOf(subscriptionId)).items.data[0]
    await shop.atStripe.subscriptions.update(subscriptionId, { cancel_at: Number(item?.current_period_end) })
    await becomes(userId, { status: 'canceling' })
    expect((await shop.post(userId, 'reactivate-subscription')).body.data.status).toBe('active')
    expect((await subscriptionOf(subscriptionId)).cancel_at).toBeNull()
  })

  test('when a cancelled one reaches the end of its period, then a fresh free month begins', async () => {
    const { userId, subscriptionId } = await subscriber()
    await shop.post(userId, 'cancel-subscription')
    await advance(subscriptionId, 'paid')
    await becomes(userId, { ...FREE, remaining_minutes: 30 })
    expect(Date.parse((await shop.statusOf(userId)).current_period_end)).toBeGreaterThan(Date.now())
    expect((await shop.post(userId, 'reactivate-subscription')).status).toBe(409)
    expect((await shop.buy(userId)).status).toBe(200)
  })

  test('when it renews, then a fresh 1000 minutes begin with the new period', async () => {
    const { userId, subscriptionId } = await subscriber()
    const before = await shop.statusOf(userId)
    await advance(subscriptionId, 'paid')
    await eventually(async () => (await shop.statusOf(userId)).current_period_end > before.current_period_end)
    expect(await shop.statusOf(userId)).toMatchObject(PAID)
    await shows(userId, 'paid', 'paid')
    await announces(userId, 'started', 'renewed')
  })

  test('when a renewal fails, then access stays while Stripe retries, and ends when it gives up', async () => {
    const { userId, subscriptionId } = await subscriber()
    await advance(subscriptionId, 'declined')
    await becomes(userId, { ...PAID, payment_problem: true })
    await shows(userId, 'failed', 'paid')
    for (let retry = 0; retry < 3; retry++) {
      await advance(subscriptionId, 'declined')
    }
    await becomes(userId, { ...FREE, payment_problem: false })
    await announces(userId, 'started', 'payment-failed', 'ended')
  })

  test('when a renewal has failed, then buying again leads to a new card, which settles it', async () => {
    const { userId, subscriptionId } = await subscriber()
    await advance(subscriptionId, 'declined')
    await becomes(userId, { payment_problem: true })
    const bought = await shop.buy(userId)
    expect([bought.status, bought.body.code]).toEqual([409, 'payment_problem'])
    expect(bought.body.message).toContain('a new card on your subscription page')
    const portal = await shop.post(userId, 'portal')
    expect(portal.status).toBe(200)
    expect(await (await fetch(portal.body.data.url)).text()).toContain(
      'https://voxscribe.example/subscription-details',
    )
    await fetch(`${portal.body.data.url}/card`, { method: 'POST' })
    await becomes(userId, PAID)
    await announces(userId, 'started', 'payment-failed', 'payment-recovered')
  })

  test.each(['portal', 'cancel-subscription', 'reactivate-subscription'])(
    'when nothing was ever bought, then %s has nothing to work on',
    async path => {
      const answer = await shop.post(newUser(), path)
      expect(answer).toMatchObject({ status: 409, body: { code: 'not_subscribed' } })
    },
  )

  test('when a part of a payment is refunded, then the plan stays, and the history says so', async () => {
    const { userId, subscriptionId } = await subscriber()
    await shop.act(`subscriptions/${subscriptionId}/refund`, { amount: 498 })
    await shows(userId, 'partially_refunded')
    expect(await shop.statusOf(userId)).toMatchObject(PAID)
    expect((await subscriptionOf(subscriptionId)).status).toBe('active')
    await shop.act(`subscriptions/${subscriptionId}/refund`)
    await shows(userId, 'refunded')
  })

  test.each([
    ['the whole payment is given back', (id: string) => shop.act(`subscriptions/${id}/refund`)],
    [
      'a dispute is lost',
      async (id: string) => {
        const dispute = (await shop.act(`subscriptions/${id}/dispute`)).body
        await shop.act(`disputes/${dispute.id}/close`, { outcome: 'lost' })
      },
    ],
  ])('when %s, then the plan ends now and is not renewed', async (_what, reverse) => {
    const { userId, subscriptionId } = await subscriber()
    await reverse(subscriptionId)
    await becomes(userId, FREE)
    expect((await subscriptionOf(subscriptionId)).status).toBe('canceled')
    await announces(userId, 'started', 'ended')
  })

  test('when webhooks of a refund come first and twice, then the plan ends once', async () => {
    shop.webhooks.passOn = null
    const { userId, sessionId } = await shop.paid()
    const subscriptionId = await subscriptionIdOf(sessionId)
    await shop.act(`subscriptions/${subscriptionId}/refund`)
    const { customer } = await subscriptionOf(subscriptionId)
    const news = await eventually(() => {
      const mine = shop.webhooks.received.filter(({ body }) => body.includes(String(customer)))
      return mine.some(({ type }) => type === 'charge.refunded') && mine.length >= 4 && mine.toReversed()
    })
    for (const { body } of [...news, ...news]) {
      const again = JSON.stringify({ ...JSON.parse(body), id: `evt_again_${++deliveries}` })
      expect((await shop.deliver(again)).status).toBe(200)
    }
    expect(await shop.statusOf(userId)).toMatchObject(FREE)
    expect((await subscriptionOf(subscriptionId)).status).toBe('canceled')
    expect(shop.changesOf(userId)).toEqual(['started', 'ended'])
  })

  test('when the payment of an earlier period is given back, then the current period stays', async () => {
    const { userId, subscriptionId } = await subscriber()
    const { customer } = await subscriptionOf(subscriptionId)
    const invoices = { customer: String(customer), expand: ['data.payments'] }
    const [first] = (await shop.atStripe.invoices.list(invoices)).data
    await advance(subscriptionId, 'paid')
    await shows(userId, 'paid', 'paid')
    await shop.atStripe.refunds.create({
      payment_intent: String(first?.payments?.data[0]?.payment.payment_intent),
    })
    await shows(userId, 'paid', 'refunded')
    expect(await shop.statusOf(userId)).toMatchObject(PAID)
    expect((await subscriptionOf(subscriptionId)).status).toBe('active')
  })

  test('when it is bought, cancelled, renewed and refunded, then few calls of Stripe suffice', async () => {
    const { userId, subscriptionId } = await subscriber()
    await shop.post(userId, 'cancel-subscription')
    await shop.post(userId, 'reactivate-subscription')
    await advance(subscriptionId, 'paid')
    await shows(userId, 'paid', 'paid')
    await shop.act(`subscriptions/${subscriptionId}/refund`)
    await shows(userId, 'paid', 'refunded')
    shop.clock.ahead = 90 * 86_400_000
    await shop.run('recheck-subscriptions')
    shop.clock.ahead = 0
    const made = shop.calls.calls.map(({ method, path }) => {
      const [pathname = '', query = ''] = path.split('?')
      const asked = [...new URLSearchParams(query).keys()].join('&')
      return `${method} ${pathname.replace(/(cs|sub)_\w+/, '$1')} ${asked}`.trim()
    })
    expect([...new Set(made)].sort()).toEqual([
      'DELETE /v1/subscriptions/sub',
      'GET /v1/checkout/sessions/cs',
      'GET /v1/invoices customer&limit&expand[0]',
      'GET /v1/invoices subscription&limit&expand[0]',
      'GET /v1/subscriptions/sub',
      'POST /v1/checkout/sessions',
      'POST /v1/customers',
      'POST /v1/subscriptions/sub',
    ])
  })

  test('when a payment is disputed and the dispute is won, then it counts as paid again', async () => {
    const { userId, subscriptionId } = await subscriber()
    const dispute = (await shop.act(`subscriptions/${subscriptionId}/dispute`)).body
    await shows(userId, 'disputed')
    await shop.act(`disputes/${dispute.id}/close`, { outcome: 'won' })
    await shows(userId, 'paid')
  })
})
