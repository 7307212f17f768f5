import { shopForAll } from './testing/shop.ts'

const shop = shopForAll({
  RATE_LIMIT_CHECKOUT: '2/1h',
  RATE_LIMIT_VERIFY: '2/1h',
  RATE_LIMIT_PLAN_CHANGE: '2/1h',
  RATE_LIMIT_PORTAL: '2/1h',
})

test.each([
  ['create-checkout-session', { planType: 'monthly' }, ['create-checkout-session']],
  ['verify-session', { sessionId: 'cs_test_guess' }, ['verify-session']],
  ['portal', undefined, ['portal']],
  ['cancel-subscription', undefined, ['cancel-subscription', 'reactivate-subscription']],
])(
  'when one person asks for %s too often, then only they must wait, and Stripe is not asked',
  async (path, body, routes) => {
    const [eager, other] = [`eager-${path}`, `other-${path}`]
    await shop.post(eager, path, body)
    await shop.post(eager, path, body)
    shop.calls.calls.length = 0
    for (const route of routes) {
      const { status, body: answer, headers } = await shop.post(eager, route, body)
      expect([status, answer.code]).toEqual([429, 'rate_limited'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
    }
    expect(shop.calls.calls).toEqual([])
    expect((await shop.post(other, path, body)).status).not.toBe(429)
  },
)
