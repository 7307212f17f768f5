import type { EventOf } from '@voxscribe/contracts/events'
import { must, mustEqual, schedules } from '@voxscribe/service/testing'
import fc from 'fast-check'
import { type Account, provisionalAccount, secondsOf } from '../minutes/account.ts'
import { monthAround, monthsAfter } from '../minutes/months.ts'
import { rollOver } from '../minutes/quota.ts'
import type { SubscriptionFacts } from '../stripe/facts.ts'
import { factsFrom } from '../testing/facts.ts'
import { follow } from './subscription.ts'

/** The default of an account. */
const FREE_SECONDS = 1800

const START = new Date('2026-01-31T12:00:00Z')
const DAY = 86_400_000

/** Everything that can happen to subscriptions at Stripe, and to the account, between two readings. */
const happening = fc.constantFrom(
  'bought',
  'paid',
  'failed',
  'cancelled',
  'reactivated',
  'over',
  'used',
  'a day',
  'a month',
  'looked',
  'looked',
  'looked',
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

/** One subscription at Stripe: its state is the model, and the account changes only when it's read. */
function openStripe() {
  const stripe = {
    at: START,
    bought: 0,
    boughtAt: START,
    /** Number of paid months. */
    paid: 0,
    standing: 'over' as SubscriptionFacts['standing'],
    isCancelled: false,
    endedAt: null as Date | null,
    facts: () =>
      factsFrom(stripe.boughtAt, stripe.paid - 1, {
        id: `sub_${stripe.bought}`,
        standing: stripe.standing,
        cancelAtPeriodEnd: stripe.isCancelled,
        endedAt: stripe.endedAt,
        ...(stripe.paid ? {} : { paidPeriod: null }),
      }),
  }
  return stripe
}
type StripeModel = ReturnType<typeof openStripe>

function atStripe(stripe: StripeModel, what: Happening, account: Account): void {
  const isOpen = stripe.standing !== 'over'
  // A user who has a plan, as far as we know, can't buy another.
  if (what === 'bought' && !isOpen && account.plan === 'free') {
    stripe.bought += 1
    Object.assign(stripe, {
      boughtAt: stripe.at,
      paid: 0,
      standing: 'pending',
      isCancelled: false,
      endedAt: null,
    })
  }
  if (what === 'paid' && isOpen) Object.assign(stripe, { paid: stripe.paid + 1, standing: 'live' })
  if (what === 'failed' && stripe.standing === 'live') stripe.standing = 'late'
  if (what === 'cancelled' && isOpen) stripe.isCancelled = true
  if (what === 'reactivated' && isOpen) stripe.isCancelled = false
  if (what === 'over' && isOpen) Object.assign(stripe, { standing: 'over', endedAt: stripe.at })
  if (what === 'a day') stripe.at = new Date(stripe.at.getTime() + DAY)
  if (what === 'a month') stripe.at = monthsAfter(stripe.at, 1)
}

/** Returns the changes published when an account in this state is synchronized with Stripe. */
function changesOf(
  { plan, subscription }: Account,
  facts: SubscriptionFacts,
  isPaid: boolean,
  isNew: boolean,
): Set<string> {
  const was = plan === 'monthly' ? subscription : null
  const isLate = facts.standing === 'late'
  const isCancelled = facts.cancelAtPeriodEnd
  const hasRecovered = isPaid && was?.paymentProblem && !isLate
  const all = {
    started: isPaid && !was,
    ended: !isPaid && was,
    'payment-recovered': hasRecovered,
    renewed: was && isNew && !hasRecovered,
    'payment-failed': isPaid && isLate && !was?.paymentProblem,
    'cancel-scheduled': isPaid && isCancelled && was?.state !== 'canceling',
    reactivated: isPaid && !isCancelled && was?.state === 'canceling',
  }
  return new Set(Object.entries(all).flatMap(([change, happens]) => (happens ? [change] : [])))
}

test('when a subscription changes at random, then plan and minutes follow Stripe', () => {
  fc.assert(
    fc.property(fc.array(happening, { minLength: 10, maxLength: 40, size: 'max' }), happenings => {
      const stripe = openStripe()
      let account: Account = { ...provisionalAccount('u', START, FREE_SECONDS), provisional: false }
      /** Periods that have granted their minutes. */
      const given = new Set<string>()
      let changes: string[] = []
      for (const what of happenings) {
        atStripe(stripe, what, account)
        if (what === 'used') account = { ...account, usedSeconds: account.totalSeconds }
        account = rollOver(account, stripe.at)?.account ?? account
        if (what !== 'looked' || !stripe.bought) continue

        const facts = stripe.facts()
        const before = account
        const step = follow(before, facts, stripe.at)
        account = step.account
        changes = step.events.flatMap(({ type, data }) =>
          type === 'subscription-changed' ? [(data as EventOf<'SubscriptionChanged'>['data']).change] : [],
        )
        const isPaid = facts.paidPeriod !== null && (facts.standing === 'live' || facts.standing === 'late')
        mustEqual(
          [account.plan, account.totalSeconds],
          isPaid ? ['monthly', secondsOf('monthly')] : ['free', FREE_SECONDS],
        )
        const period = `${facts.id} ${stripe.paid}`
        const isNew = isPaid && !given.has(period)
        mustEqual(new Set(changes), changesOf(before, facts, isPaid, isNew))
        // Free months are counted from the paid plan's end, however late it's read; the current one contains today.
        if (changes.includes('ended')) {
          const { start, end } = monthAround(facts.endedAt!, stripe.at)
          mustEqual([account.anchor, account.periodStart, account.periodEnd], [facts.endedAt, start, end])
        } else if (!isNew) mustEqual(account.usedSeconds, before.usedSeconds)
        if (isNew) {
          given.add(period)
          mustEqual([account.usedSeconds, account.periodEnd], [0, facts.paidPeriod?.end])
        }
        const { state, paymentProblem } = account.subscription ?? {}
        if (isPaid)
          mustEqual(
            [state, paymentProblem],
            [facts.cancelAtPeriodEnd ? 'canceling' : 'active', facts.standing === 'late'],
          )
        // Reading it again publishes and grants nothing more.
        const again = follow(account, facts, stripe.at)
        must(!again.events.length, again.events)
        mustEqual({ ...again.account, stripeRevision: account.stripeRevision }, account)
      }
    }),
    schedules(),
  )
})
