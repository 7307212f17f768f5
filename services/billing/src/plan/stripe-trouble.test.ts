import { runService } from '@voxscribe/service'
import { eventually } from '@voxscribe/service/testing'
import { billingService } from '../service.ts'
import type { Fate } from '../testing/gates.ts'
import { type Answer, newUser, shopForAll } from '../testing/shop.ts'

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

const customerOf = async (sessionId: string) =>
  String((await shop.atStripe.checkout.sessions.retrieve(sessionId)).customer)

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
  expected: object
}
const STORIES: Record<string, Story> = {
  'starting a purchase': {
    begin: async () => ({ userId: newUser(), sessionId: '' }),
    act: ({ userId }) => shop.buy(userId),
    expected: { plan: 'free' },
  },
  'verifying a payment': {
    begin: paidSession,
    act: ({ userId, sessionId }) => shop.verify(userId, sessionId),
    expected: { plan: 'monthly', used_minutes: 0 },
  },
  cancelling: {
    begin: subscriber,
    act: ({ userId }) => shop.post(userId, 'cancel-subscription'),
    expected: { plan: 'monthly', status: 'canceling' },
  },
  'taking a cancellation back': {
    begin: async () => {
      const buyer = await subscriber()
      await works(() => shop.post(buyer.userId, 'cancel-subscription'))
      return buyer
    },
    act: ({ userId }) => shop.post(userId, 'reactivate-subscription'),
    expected: { plan: 'monthly', status: 'active' },
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
        const { body } = await works(() => story.act(buyer))
        expect(await shop.statusOf(buyer.userId)).toMatchObject(story.expected)
        const customer = await customerOf(buyer.sessionId || body.data.sessionId)
        expect((await shop.atStripe.checkout.sessions.list({ customer })).data).toHaveLength(1)
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
  const gone = await customerOf(first.sessionId)
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
  expect(await customerOf(sessionId)).not.toBe(gone)
  await shop.act(`checkout/${sessionId}/pay`)
  await works(() => shop.verify(userId, sessionId))
  expect((await shop.statusOf(userId)).plan).toBe('monthly')
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
    const config = await fetch(`${closed.billing.url}/internal/config`)
    expect((await config.json()).data).toEqual({ priceId: '' })
    expect((await closed.deliver('{}')).status).toBe(404)
  })
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
