import { runService } from '@voxscribe/service'
import { billingService } from '../service.ts'
import { newUser, shopForAll } from '../testing/shop.ts'
import { customerOf, troubleCases, works } from '../testing/trouble.ts'

const shop = shopForAll({ STRIPE_TIMEOUT: '400ms' })
beforeEach(() => {
  shop.webhooks.passOn = null
})

// Calls executed at Stripe without our knowing are the worst case; stripe-trouble.slow.test.ts has the other two.
troubleCases(shop, ['lost'])

test('when every call of Stripe is slow, then the user waits for one, and trying again works', async () => {
  const userId = newUser()
  const tried = new Set<string>()
  shop.calls.fate = ({ method, path, idempotencyKey }) => {
    const call = `${method} ${path} ${idempotencyKey ?? ''}`
    if (tried.has(call)) return 'pass'
    tried.add(call)
    return 'hang'
  }
  const { status, body } = await shop.buy(userId)
  expect([status, body.code]).toEqual([503, 'payment_service_unavailable'])
  shop.calls.fate = () => 'pass'
  const again = await works(() => shop.buy(userId))
  expect((await works(() => shop.buy(userId))).body.data).toEqual(again.body.data)
})

test('when Stripe keeps an error for an idempotency key, then the next try has another key', async () => {
  const userId = newUser()
  for (const path of ['/v1/customers', '/v1/checkout/sessions']) {
    const broken = new Set<string | undefined>()
    let isFirst = true
    shop.calls.fate = call => {
      if (call.path !== path) return 'pass'
      // Includes keys of an earlier purchase that outlasted its caller's timeout.
      if (isFirst) broken.add(call.idempotencyKey)
      return broken.has(call.idempotencyKey) ? 'error' : 'pass'
    }
    expect((await shop.buy(userId)).status).toBe(503)
    isFirst = false
    expect((await works(() => shop.buy(userId))).status).toBe(200)
    await shop.act(`checkout/${(await works(() => shop.buy(userId))).body.data.sessionId}/expire`)
  }
})

test('when the customer was deleted at Stripe, then the purchase goes on with a new one', async () => {
  const userId = newUser()
  const first = (await works(() => shop.buy(userId))).body.data
  const gone = await customerOf(shop, first.sessionId)
  await shop.act(`checkout/${first.sessionId}/expire`)
  shop.calls.fate = ({ method, path, body }) => {
    const about = method === 'GET' ? path : body
    if (!about.includes(`customer=${gone}`)) return 'pass'
    const message = `No such customer: '${gone}'`
    return {
      status: 400,
      error: { type: 'invalid_request_error', code: 'resource_missing', message, param: 'customer' },
    }
  }
  const { sessionId } = (await works(() => shop.buy(userId))).body.data
  expect(await customerOf(shop, sessionId)).not.toBe(gone)
  await shop.act(`checkout/${sessionId}/pay`)
  await works(() => shop.verify(userId, sessionId))
  expect((await shop.statusOf(userId)).plan).toBe('monthly')
})

test('when Stripe knows nothing of a subscription, then it lasts for what was paid, and can be bought again', async () => {
  const userId = newUser()
  const { sessionId } = (await works(() => shop.buy(userId))).body.data
  await shop.act(`checkout/${sessionId}/pay`)
  await works(() => shop.verify(userId, sessionId))
  const { customer, subscription } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
  shop.calls.fate = ({ path, body }) => {
    if (![customer, subscription].some(id => `${path} ${body}`.includes(String(id)))) return 'pass'
    const [param, message] = path.includes('subscriptions')
      ? ['id', 'No such subscription']
      : ['customer', 'No such customer']
    return { status: 404, error: { type: 'invalid_request_error', code: 'resource_missing', message, param } }
  }
  const look = async () => {
    await shop.run('recheck-subscriptions')
    return (await shop.statusOf(userId)).plan
  }
  expect((await shop.post(userId, 'cancel-subscription')).status).toBe(409)
  expect(await look()).toBe('monthly')
  shop.clock.ahead = 32 * 86_400_000
  expect(await look()).toBe('free')
  expect(shop.changesOf(userId)).toEqual(['started', 'ended'])
  const next = (await works(() => shop.buy(userId))).body.data
  expect(await customerOf(shop, next.sessionId)).not.toBe(customer)
})

describe('without a key that Stripe accepts', () => {
  const refused = shopForAll({ STRIPE_SECRET_KEY: 'sk_test_wrong', STRIPE_PRICE_ID: 'price_1' })
  const closed = shopForAll({ STRIPE_SECRET_KEY: '' })

  test('when Stripe refuses our key, then the answer is 502 and says nothing of the key', async () => {
    const { status, body } = await refused.buy(newUser())
    expect([status, body.code]).toEqual([502, 'payment_service_refused'])
    expect(JSON.stringify(body)).not.toContain('sk_test')
  })

  test('when Stripe is not set up, then the free plan works and buying is closed', async () => {
    const userId = newUser()
    expect((await closed.statusOf(userId)).remaining_minutes).toBe(30)
    const { status, body } = await closed.buy(userId)
    expect([status, body.code]).toEqual([503, 'payments_off'])
    const config = await fetch(`${closed.url}/internal/config`)
    expect((await config.json()).data).toEqual({ priceId: '' })
    expect((await closed.deliver('{}')).status).toBe(404)
  })
})

test.each([
  [{ STRIPE_SECRET_KEY: 'sk_1' }, ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID']],
  [{ STRIPE_WEBHOOK_SECRET: 'we_1' }, ['STRIPE_WEBHOOK_SECRET', 'whsec_']],
  [{ STRIPE_API_URL: 'https://stripe.example/v1' }, ['STRIPE_API_URL']],
  [{ STRIPE_TIMEOUT: 'soon' }, ['STRIPE_TIMEOUT']],
])('when the settings are %j, then the start names what is wrong', async (settings, names) => {
  const env = { MONGO_URL: 'mongodb://127.0.0.1:1', ...settings }
  const message = await runService(billingService, env).then(
    () => 'started',
    (error: Error) => error.message,
  )
  for (const name of names) expect(message).toContain(name)
})
