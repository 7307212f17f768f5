import { runService } from '@voxscribe/service'
import { eventually, startTestBackings, testBus, tokenFor } from '@voxscribe/service/testing'
import { billingService } from '../service.ts'
import type { Fate } from '../testing/gates.ts'
import { type Answer, newUser, openShop, shopForAll } from '../testing/shop.ts'

const shop = shopForAll({ STRIPE_TIMEOUT: '400ms' })
beforeEach(() => {
  shop.webhooks.passOn = null
})

/** Asks again until it works: on a busy machine even a healthy call may outlast the short patience of this test. */
const works = (act: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await act()
    return answer.status === 200 && answer
  })

interface Buyer {
  userId: string
  /** Empty until a purchase is started. */
  sessionId: string
}
async function paidSession(): Promise<Buyer> {
  const userId = newUser()
  const { sessionId } = (await works(() => shop.buy(userId))).body.data
  await shop.act(`checkout/${sessionId}/pay`)
  return { userId, sessionId }
}
async function subscriber(): Promise<Buyer> {
  const buyer = await paidSession()
  await works(() => shop.verify(buyer.userId, buyer.sessionId))
  return buyer
}

/** From the n-th different call on, everything has this fate; the library's own repeat of a call is the same call. */
function troubleFrom(nth: number, fate: Fate) {
  const seen = new Set<string>()
  let struck = false
  shop.calls.fate = ({ method, path, idempotencyKey }) => {
    seen.add(`${method} ${path} ${idempotencyKey ?? ''}`)
    struck ||= seen.size >= nth
    return struck ? fate : 'pass'
  }
  return () => struck
}

interface Story {
  begin(): Promise<Buyer>
  act(buyer: Buyer): Promise<Answer>
  /** Returns the final outcome. */
  outcome(buyer: Buyer): Promise<object>
  expected: object
}
const STORIES: Record<string, Story> = {
  'starting a purchase': {
    begin: async () => ({ userId: newUser(), sessionId: '' }),
    act: ({ userId }) => shop.buy(userId),
    outcome: async ({ userId }) => {
      const { sessionId } = (await works(() => shop.buy(userId))).body.data
      const { customer } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
      const sessions = await shop.atStripe.checkout.sessions.list({ customer: String(customer) })
      return { plan: (await shop.statusOf(userId)).plan, sessions: sessions.data.length }
    },
    expected: { plan: 'free', sessions: 1 },
  },
  'verifying a payment': {
    begin: paidSession,
    act: ({ userId, sessionId }) => shop.verify(userId, sessionId),
    outcome: async ({ userId }) => {
      const { plan, used_minutes } = await shop.statusOf(userId)
      return { plan, used_minutes }
    },
    expected: { plan: 'monthly', used_minutes: 0 },
  },
  cancelling: {
    begin: subscriber,
    act: ({ userId }) => shop.post(userId, 'cancel-subscription'),
    outcome: async ({ userId }) => ({ status: (await shop.statusOf(userId)).status }),
    expected: { status: 'canceling' },
  },
  'taking a cancellation back': {
    begin: async () => {
      const buyer = await subscriber()
      await works(() => shop.post(buyer.userId, 'cancel-subscription'))
      return buyer
    },
    act: ({ userId }) => shop.post(userId, 'reactivate-subscription'),
    outcome: async ({ userId }) => ({ status: (await shop.statusOf(userId)).status }),
    expected: { status: 'active' },
  },
}

describe.each(Object.entries(STORIES))('when Stripe is in trouble while %s', (_what, story) => {
  test.each(['error', 'hang', 'lost'] as const)(
    'and every call from some point on ends with "%s", then trying again works',
    async fate => {
      for (let nth = 1; ; nth++) {
        const buyer = await story.begin()
        const struck = troubleFrom(nth, fate)
        const started = performance.now()
        const answer = await story.act(buyer)
        const seconds = (performance.now() - started) / 1000
        shop.calls.fate = () => 'pass'
        if (!struck()) {
          expect(nth).toBeGreaterThan(1)
          break
        }
        expect([502, 503]).toContain(answer.status)
        expect(answer.body).toMatchObject({
          success: false,
          code: expect.stringMatching(/^payment_service_/),
        })
        expect(answer.body.message).toMatch(/try again/)
        expect(seconds).toBeLessThan(10)
        await works(() => story.act(buyer))
        expect(await story.outcome(buyer)).toEqual(story.expected)
      }
    },
    300_000,
  )
})

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
      // Also keys of an earlier purchase that outlasted its caller's patience.
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
  const { customer: gone } = await shop.atStripe.checkout.sessions.retrieve(first.sessionId)
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
  const { customer } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
  expect(customer).not.toBe(gone)
  await shop.act(`checkout/${sessionId}/pay`)
  await works(() => shop.verify(userId, sessionId))
  expect((await shop.statusOf(userId)).plan).toBe('monthly')
})

test('when Stripe refuses our key, then the answer is 502 and says nothing of the key', async () => {
  const broken = await openShop({ STRIPE_SECRET_KEY: 'sk_test_wrong', STRIPE_PRICE_ID: 'price_1' })
  try {
    const { status, body } = await broken.post(newUser(), 'create-checkout-session', { planType: 'monthly' })
    expect([status, body.code]).toEqual([502, 'payment_service_refused'])
    expect(JSON.stringify(body)).not.toContain('sk_test')
  } finally {
    await broken.close()
  }
})

test('when Stripe is not set up, then the free plan works and buying is closed', async () => {
  const backings = await startTestBackings()
  const bus = await testBus('billing')
  const billing = await runService(billingService, backings.env, { bus: bus.bus })
  try {
    const headers = { authorization: tokenFor('someone'), 'content-type': 'application/json' }
    const free = await fetch(`${billing.url}/api/stripe/subscription-status`, { headers })
    expect((await free.json()).data.remaining_minutes).toBe(30)
    const body = JSON.stringify({ planType: 'monthly' })
    const buying = await fetch(`${billing.url}/api/stripe/create-checkout-session`, {
      method: 'POST',
      headers,
      body,
    })
    expect([buying.status, (await buying.json()).code]).toEqual([503, 'payments_off'])
    expect(await (await fetch(`${billing.url}/internal/config`)).json()).toMatchObject({
      data: { priceId: '' },
    })
    expect((await fetch(`${billing.url}/webhooks/stripe`, { method: 'POST' })).status).toBe(404)
  } finally {
    await billing.stop()
    await bus.close()
    await backings.stop()
  }
})

test.each([
  [{ STRIPE_SECRET_KEY: 'sk_1' }, ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID']],
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
