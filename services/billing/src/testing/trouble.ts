import { eventually } from '@voxscribe/service/testing'
import type { Fate } from './gates.ts'
import { type Answer, newUser, type Shop } from './shop.ts'

/** Repeats until it works: on a busy machine, even a healthy call may exceed this test's short timeout. */
export const works = (act: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await act()
    return answer.status === 200 && answer
  })

export const customerOf = async (shop: Shop, sessionId: string) =>
  String((await shop.atStripe.checkout.sessions.retrieve(sessionId)).customer)

interface Buyer {
  userId: string
  /** Empty until a purchase is started. */
  sessionId: string
}
async function paidSession(shop: Shop): Promise<Buyer> {
  const userId = newUser()
  const { sessionId } = (await works(() => shop.buy(userId))).body.data
  await shop.act(`checkout/${sessionId}/pay`)
  return { userId, sessionId }
}
async function subscriber(shop: Shop): Promise<Buyer> {
  const buyer = await paidSession(shop)
  await works(() => shop.verify(buyer.userId, buyer.sessionId))
  return buyer
}

/** Gives all calls from the n-th distinct one on this fate; the library's retry of a call isn't a new one. */
function troubleFrom(shop: Shop, nth: number, fate: Fate) {
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
  begin(shop: Shop): Promise<Buyer>
  act(shop: Shop, buyer: Buyer): Promise<Answer>
  expected: object
}
const STORIES: Record<string, Story> = {
  'starting a purchase': {
    begin: async () => ({ userId: newUser(), sessionId: '' }),
    act: (shop, { userId }) => shop.buy(userId),
    expected: { plan: 'free' },
  },
  'verifying a payment': {
    begin: paidSession,
    act: (shop, { userId, sessionId }) => shop.verify(userId, sessionId),
    expected: { plan: 'monthly', used_minutes: 0 },
  },
  cancelling: {
    begin: subscriber,
    act: (shop, { userId }) => shop.post(userId, 'cancel-subscription'),
    expected: { plan: 'monthly', status: 'canceling' },
  },
  'taking a cancellation back': {
    begin: async shop => {
      const buyer = await subscriber(shop)
      await works(() => shop.post(buyer.userId, 'cancel-subscription'))
      return buyer
    },
    act: (shop, { userId }) => shop.post(userId, 'reactivate-subscription'),
    expected: { plan: 'monthly', status: 'active' },
  },
}

/** Each call to Stripe in each story gets each of these fates, along with all later calls. */
export function troubleCases(shop: Shop, fates: ('error' | 'hang' | 'lost')[]): void {
  describe.each(Object.entries(STORIES))('when Stripe is in trouble while %s', (_what, story) => {
    test.each(fates)(
      'and every call from some point on ends with "%s", then trying again works',
      async fate => {
        for (let nth = 1; ; nth++) {
          const buyer = await story.begin(shop)
          const struck = troubleFrom(shop, nth, fate)
          const answer = await story.act(shop, buyer)
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
          const { body } = await works(() => story.act(shop, buyer))
          expect(await shop.statusOf(buyer.userId)).toMatchObject(story.expected)
          const customer = await customerOf(shop, buyer.sessionId || body.data.sessionId)
          expect((await shop.atStripe.checkout.sessions.list({ customer })).data).toHaveLength(1)
        }
      },
    )
  })
}
