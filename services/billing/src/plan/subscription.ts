import { derivedId, type Envelope, QuotaUpdated, SubscriptionChanged } from '@voxscribe/contracts/events'
import { planOf } from '@voxscribe/contracts/plans'
import {
  type Account,
  type AccountStep,
  freePlan,
  type OpenCheckout,
  type Subscription,
  secondsOf,
  stateOnly,
} from '../minutes/account.ts'
import type { Period } from '../minutes/months.ts'
import { quotaEvents } from '../minutes/quota.ts'
import type { SubscriptionFacts } from '../stripe/facts.ts'

type Change = Parameters<typeof SubscriptionChanged.create>[0]['change']

/** The subscription behind the account's paid plan. */
export const currentSubscription = ({ subscription }: Account): Subscription | null =>
  subscription && subscription.state !== 'ended' ? subscription : null

/** Whether we sold the subscription to this user, or Stripe made it for the user's customer with our price. */
export function belongsTo(
  { userId, customerId, subscription }: Pick<Account, 'userId' | 'customerId' | 'subscription'>,
  facts: SubscriptionFacts,
): boolean {
  if (facts.userId === userId) return true
  // The price may have changed since.
  return customerId === facts.customerId && (facts.hasOurPrice || subscription?.id === facts.id)
}

/** Whether the subscription still has to follow a block, or the end of one. */
export function isBlockAhead(account: Account): boolean {
  const current = currentSubscription(account)
  if (account.blocked) return current?.state === 'active' || current?.state === 'paused'
  return current !== null && current.id === account.canceledByBlock
}

/** When to check Stripe: this long after the end of a paid period, and at this interval while a payment is late. */
const RECHECK_AFTER_MS = 30 * 60_000
/** Wait after the first failed recheck; doubles with each further failure. */
const RETRY_MS = 60_000
const MAX_RETRY_MS = 6 * 3_600_000

/** Applies Stripe's state of the one subscription that may hold the account. Each paid period grants minutes once. */
export function follow(account: Account, facts: SubscriptionFacts, at: Date): AccountStep {
  const informed = {
    ...account,
    customerId: account.customerId ?? facts.customerId,
    stripeRevision: account.stripeRevision + 1,
  }
  const current = currentSubscription(account)
  if (facts.standing === 'over')
    return current?.id === facts.id ? end(informed, current, facts, at) : stateOnly(informed)
  if (facts.standing === 'pending')
    return stateOnly({ ...informed, recheckAt: nextRecheck(informed, true, at) })

  const known = account.subscription?.id === facts.id ? account.subscription : null
  const period =
    facts.paidPeriod && facts.paidPeriod.end > (known?.grantedUntil ?? NEVER) ? facts.paidPeriod : null
  if (!current && !period) return stateOnly(informed)

  const subscription: Subscription = {
    id: facts.id,
    state: stateOf(facts),
    paymentProblem: facts.standing === 'late',
    grantedUntil: period?.end ?? known?.grantedUntil ?? NEVER,
    price: facts.price,
    currency: facts.currency,
    interval: facts.interval,
  }
  const next: Account = {
    ...informed,
    ...(period ? paidPlan(account, period, facts.interval) : {}),
    subscription,
  }
  const changes = changesBetween(current, subscription, period !== null)
  return {
    account: { ...next, recheckAt: nextRecheck({ ...next, recheckAt: null }, true, at) },
    events: [...changes.map(change => changed(next, change)), ...(period ? updated(next) : [])],
  }
}

const NEVER = new Date(0)

function stateOf({ cancelAtPeriodEnd, cancelAt, isPaused }: SubscriptionFacts): Subscription['state'] {
  if (cancelAtPeriodEnd || cancelAt) return 'canceling'
  return isPaused ? 'paused' : 'active'
}

function paidPlan({ freeSeconds }: Account, { start, end }: Period, interval: string) {
  const plan = planOf(interval)
  const totalSeconds = Math.max(secondsOf(plan), freeSeconds)
  return { plan, periodStart: start, periodEnd: end, totalSeconds, usedSeconds: 0 }
}

/** Ends a plan that Stripe doesn't know (after a change of the Stripe account) once its paid period is over. */
export function endUnknown(account: Account, subscriptionId: string, at: Date): AccountStep | null {
  const current = currentSubscription(account)
  if (current?.id !== subscriptionId || current.grantedUntil > at) return null
  const informed = { ...account, stripeRevision: account.stripeRevision + 1 }
  return end(informed, current, { endedAt: current.grantedUntil }, at)
}

/** Ends the paid plan; a new free month begins at its end. */
function end(
  account: Account,
  current: Subscription,
  { endedAt }: Pick<SubscriptionFacts, 'endedAt'>,
  at: Date,
): AccountStep {
  const anchor = endedAt && endedAt < at ? endedAt : at
  const next: Account = {
    ...account,
    ...freePlan(account, anchor, at),
    usedSeconds: 0,
    subscription: { ...current, state: 'ended', paymentProblem: false },
    recheckAt: nextRecheck({ ...account, plan: 'free', recheckAt: null }, false, at),
  }
  return { account: next, events: [changed(next, 'ended'), ...updated(next)] }
}

function changesBetween(before: Subscription | null, after: Subscription, renewed: boolean): Change[] {
  const changes: Change[] = []
  if (!before) changes.push('started')
  else if (before.paymentProblem && !after.paymentProblem) changes.push('payment-recovered')
  else if (renewed) changes.push('renewed')
  if (after.paymentProblem && !before?.paymentProblem) changes.push('payment-failed')
  if (after.state === 'canceling' && before?.state !== 'canceling') changes.push('cancel-scheduled')
  if (after.state === 'active' && before?.state === 'canceling') changes.push('reactivated')
  return changes
}

/** Returns when to check Stripe in case a webhook was lost; null if no change is expected. */
function nextRecheck(account: Account, unfinished: boolean, at: Date): Date | null {
  const { recheckAt, periodEnd, plan, checkout, customerStale } = account
  if (isBlockAhead(account)) return at
  if (recheckAt && recheckAt > at) return recheckAt
  if (plan !== 'free') return new Date(Math.max(periodEnd.getTime(), at.getTime()) + RECHECK_AFTER_MS)
  return checkout || unfinished || customerStale ? new Date(at.getTime() + RECHECK_AFTER_MS) : null
}

/** Postpones a due recheck in case it fails, longer each time. Null if none is due. */
export function putOffRecheck(account: Account, at: Date): AccountStep | null {
  const { recheckAt, recheckFailures } = account
  if (!recheckAt || recheckAt > at) return null
  const wait = Math.min(RETRY_MS * 2 ** recheckFailures, MAX_RETRY_MS)
  return stateOnly({
    ...account,
    recheckAt: new Date(at.getTime() + wait),
    recheckFailures: recheckFailures + 1,
  })
}

export const rechecked = (account: Account, unfinished: boolean, at: Date): AccountStep =>
  stateOnly({
    ...account,
    recheckAt: nextRecheck({ ...account, recheckAt: null }, unfinished, at),
    recheckFailures: 0,
  })

/** Stores a started purchase: its page stays the same until it is paid or expires. */
export function openCheckout(account: Account, checkout: OpenCheckout, at: Date): AccountStep {
  const next = { ...account, checkout }
  return stateOnly({ ...next, recheckAt: nextRecheck(next, true, at) })
}

/** Removes an ended purchase; the next one will be new at Stripe. */
export const closeCheckout = (account: Account, sessionId: string): AccountStep | null =>
  account.checkout?.sessionId === sessionId
    ? stateOnly({ ...account, checkout: null, checkoutRound: account.checkoutRound + 1 })
    : null

/** After a refused purchase: the next try gets new idempotency keys, and a new customer if the old one is gone. */
export const nextRound = (account: Account, customerGone: boolean): AccountStep =>
  stateOnly({
    ...account,
    customerId: customerGone ? null : account.customerId,
    checkoutRound: account.checkoutRound + 1,
  })

const changed = ({ userId, periodEnd, stripeRevision }: Account, change: Change): Envelope =>
  SubscriptionChanged.create(
    { userId, periodEnd: periodEnd.toISOString(), change },
    { id: derivedId(userId, 'subscription-changed', change, String(stripeRevision)) },
  )

const updated = (account: Account): Envelope[] =>
  quotaEvents(account, data =>
    QuotaUpdated.create(data, {
      id: derivedId(account.userId, 'quota-updated', String(account.stripeRevision)),
    }),
  )
