import type { Person } from './people.ts'
import { persist, until } from './persist.ts'
import type { Deed, Errand } from './plan.ts'
import type { World } from './world.ts'

type Do = (world: World, person: Person) => Promise<unknown>

const month =
  (outcome: 'paid' | 'declined'): Do =>
  async ({ shop }, { id }) => {
    const [subscription] = await shop.subscriptionsOf(id)
    await shop.advance(subscription!.id, outcome)
  }

const DO: Record<Deed, Do> = {
  forget: (_world, { http, email }) => http.post('/auth/forgot-password', { email }),
  async buy({ shop }, { http }) {
    const { data } = await http.post('/stripe/create-checkout-session', { planType: 'monthly' })
    const { sessionId } = data.data
    await shop.pay(sessionId)
    // The browser returns. If it was closed, the purchase counts as well: the webhook completes it.
    await http.post('/stripe/verify-session', { sessionId }).catch(() => {})
  },
  renew: month('paid'),
  decline: month('declined'),
  recover: month('paid'),
  cancel: (_world, { http }) => http.post('/stripe/cancel-subscription'),
  end: month('paid'),
}

/** Longer than any fault and its recovery. */
const TIMEOUT_MS = 180_000

/** Runs a person's tasks in order, then has Stripe resend its webhooks. Returns the first failure. */
export async function runErrands(
  world: World,
  person: Person,
  errands: Errand[],
  startedAt: number,
): Promise<string[]> {
  for (const { at, deed } of errands) {
    await until(startedAt + at)
    try {
      await persist(() => DO[deed](world, person), TIMEOUT_MS)
    } catch (error) {
      return [`${person.email} could not ${deed}: ${error}`]
    }
  }
  if (errands.some(({ deed }) => deed === 'buy')) await world.shop.repeatWebhooks()
  return []
}
