import { api, Subscription } from '@voxscribe/contracts/http'
import type { Peers } from './peers.ts'

/** Source of a user's plan, sent in the header `x-subscription-source`. */
type SubscriptionSource = 'billing' | 'last-known' | 'free-plan'

export type SubscriptionOf = (
  userId: string,
  headers: Record<string, string | undefined>,
) => Promise<{ subscription: Subscription; source: SubscriptionSource }>

const REMEMBERED_USERS = 10_000

/** Reads a user's plan from billing. While billing is down, returns the plan seen last, or the free plan. */
export function createSubscriptionOf(peers: Peers, freeMinutes: number | null): SubscriptionOf {
  const lastKnown = new Map<string, Subscription>()
  return async (userId, headers) => {
    const status = await peers.ask(api.subscriptionStatus, {}, headers)
    if (status) {
      const subscription = Subscription.parse(status)
      remember(lastKnown, userId, subscription)
      return { subscription, source: 'billing' }
    }
    const known = lastKnown.get(userId)
    return known
      ? { subscription: known, source: 'last-known' }
      : { subscription: freePlan(freeMinutes, new Date()), source: 'free-plan' }
  }
}

function remember(lastKnown: Map<string, Subscription>, userId: string, subscription: Subscription): void {
  lastKnown.delete(userId)
  lastKnown.set(userId, subscription)
  const oldest = lastKnown.keys().next().value
  if (lastKnown.size > REMEMBERED_USERS && oldest !== undefined) lastKnown.delete(oldest)
}

function freePlan(freeMinutes: number | null, now: Date): Subscription {
  const end = new Date(now)
  end.setUTCMonth(end.getUTCMonth() + 1)
  return {
    plan: 'free',
    status: 'active',
    subscription_minutes: freeMinutes,
    used_minutes: 0,
    current_period_end: end.toISOString(),
  }
}
