import { planOf } from '@voxscribe/contracts/plans'
import { type ClosedAccounts, counter, createOneByOne, type Logger } from '@voxscribe/service'
import type { Account } from '../minutes/account.ts'
import type { Accounts } from '../minutes/accounts.ts'
import type { StripeCalls, StripeSubscription } from '../stripe/calls.ts'
import type { SessionFacts, SubscriptionFacts } from '../stripe/facts.ts'
import type { Payments } from './payments.ts'
import { belongsTo, closeCheckout, currentSubscription, endUnknown, follow } from './subscription.ts'

/** Dependencies of the code that sells the paid plan. */
export interface Selling {
  accounts: Accounts
  payments: Payments
  stripe: StripeCalls
  synchronise: Synchronise
  purchaseEnded: PurchaseEnded
  log: Logger
}

/** An account after a check of one subscription at Stripe. */
export interface Synchronised {
  account: Account
  /** Null: Stripe doesn't know the subscription, or it isn't this user's. */
  facts: SubscriptionFacts | null
}

export type Synchronise = (userId: string, subscriptionId: string) => Promise<Synchronised>

const secondsSold = counter({
  name: 'billing_sold_seconds_total',
  help: 'Seconds of audio given for paid periods',
})

/** Other replicas may win this many times. */
const TRIES = 10

/**
 * Returns the only function that updates a subscription; the webhook, the page after a payment and the recheck call it.
 * The state of Stripe's objects decides, never the order of its webhooks.
 */
export function createSynchronise({
  accounts,
  payments,
  stripe,
  closed,
}: Pick<Selling, 'accounts' | 'payments' | 'stripe'> & {
  closed: Pick<ClosedAccounts, 'isErased'>
}): Synchronise {
  const inTurn = createOneByOne()
  const queued = new Map<string, Promise<Synchronised>>()

  /** Coalesces concurrent calls: callers that arrive while a call for the same key is queued share its result. */
  function inSharedTurn(key: string, work: () => Promise<Synchronised>): Promise<Synchronised> {
    const shared = queued.get(key)
    if (shared) return shared
    const mine = inTurn(key, () => {
      queued.delete(key)
      return work()
    })
    queued.set(key, mine)
    return mine
  }

  return (userId, subscriptionId) =>
    inSharedTurn(`${userId} ${subscriptionId}`, async () => {
      // Stripe still reports subscriptions that end with the customer.
      const isGone = await closed.isErased(userId)
      // Another product may use metadata like ours, with users that we don't know.
      if (isGone || !(await accounts.stored(userId)))
        return { account: await accounts.current(userId), facts: null }
      for (let tried = 1; tried <= TRIES; tried++) {
        const before = await accounts.current(userId)
        const state = await stripe.subscription(subscriptionId)
        if (!state) {
          const { account } = await accounts.change(userId, (current, _past, at) =>
            endUnknown(current, subscriptionId, at),
          )
          return { account, facts: null }
        }
        if (!belongsTo(before, state.facts)) return { account: before, facts: null }
        const holder = currentSubscription(before)
        const isSecond = holder && holder.id !== subscriptionId && state.facts.standing !== 'over'
        const first = isSecond ? await stripe.subscription(holder.id) : null
        if (isSecond && first?.facts.standing !== 'over') return refundDuplicate(before, state)
        const account = await apply(before, first ?? state)
        if (account && !first) return { account, facts: state.facts }
      }
      throw new Error('A subscription changed at Stripe faster than it could be followed')
    })

  /** Returns null if another response of Stripe was applied since `before` was read; the caller then retries. */
  async function apply(before: Account, { facts, invoices }: StripeSubscription): Promise<Account | null> {
    const { account, step } = await accounts.change(before.userId, (current, _past, at) =>
      current.stripeRevision === before.stripeRevision ? follow(current, facts, at) : null,
    )
    if (!step) return null
    const granted =
      account.subscription?.grantedUntil.getTime() !== before.subscription?.grantedUntil.getTime()
    if (granted) secondsSold.inc(account.totalSeconds)
    await payments.record(account.userId, account.stripeRevision, planOf(facts.interval), invoices)
    return account
  }

  /** Cancels a second subscription next to the current one, and refunds the payments that granted no minutes. */
  async function refundDuplicate(
    account: Account,
    { facts, invoices }: StripeSubscription,
  ): Promise<Synchronised> {
    // A subscription that was left unpaid has paid for earlier months, when it was the only one.
    const earlier = await payments.recordedAsPaid(invoices)
    const paid = invoices.filter(({ id, status }) => status === 'paid' && !earlier.has(id))
    for (const paymentIntent of paid.flatMap(({ paymentIntents }) => paymentIntents)) {
      await stripe.refund(paymentIntent)
    }
    // Refund first: a subscription that is over wouldn't be checked again.
    await stripe.cancelNow(facts.id)
    await payments.record(account.userId, account.stripeRevision, planOf(facts.interval), invoices)
    for (const { paymentIntents, amount } of paid) {
      for (const paymentIntent of paymentIntents) await payments.refunded(paymentIntent, amount)
    }
    return { account, facts }
  }
}

export type PurchaseEnded = (
  userId: string,
  session: Pick<SessionFacts, 'id' | 'subscriptionId'>,
) => Promise<Synchronised>

/** Handles a Checkout session that is no longer open: applies the purchase, and lets another one begin. */
export const createPurchaseEnded =
  (accounts: Accounts, synchronise: Synchronise): PurchaseEnded =>
  async (userId, session) => {
    const learned = session.subscriptionId
      ? await synchronise(userId, session.subscriptionId)
      : { account: await accounts.current(userId), facts: null }
    if (learned.account.checkout?.sessionId !== session.id) return learned
    const { account } = await accounts.change(userId, current => closeCheckout(current, session.id))
    return { ...learned, account }
  }
