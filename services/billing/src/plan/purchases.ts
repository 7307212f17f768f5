import { type Account, silently } from '../minutes/account.ts'
import type { Accounts } from '../minutes/accounts.ts'
import { secondsSold } from '../minutes/metrics.ts'
import { createTurns } from '../minutes/turns.ts'
import type { StripeCalls, SubscriptionState } from '../stripe/calls.ts'
import type { SessionFacts, SubscriptionFacts, SubscriptionHint } from '../stripe/facts.ts'
import type { Payments } from './payments.ts'
import { closeCheckout, currentSubscription, follow, nextRecheck } from './subscription.ts'

interface Deps {
  accounts: Accounts
  payments: Payments
  stripe: StripeCalls
}

/** Where an account stands after Stripe was asked about a subscription. */
export interface Learned {
  account: Account
  /** Null: Stripe does not know the subscription, or it is not this user's. */
  facts: SubscriptionFacts | null
}

export type Purchases = ReturnType<typeof createPurchases>

type EndedSession = Pick<SessionFacts, 'id' | 'subscriptionId'>

/** So many times another replica may be faster. */
const TRIES = 10

/**
 * Brings accounts in line with Stripe. The state of Stripe's objects decides, never the order in which news of them
 * arrives, so the webhook, the page after the payment and the recheck all do the same thing here.
 */
export function createPurchases({ accounts, payments, stripe }: Deps) {
  const inTurn = createTurns()
  const waiting = new Map<string, Promise<Learned>>()

  /**
   * Asks Stripe and applies the answer. News comes in crowds: whoever asks while another one still waits for the
   * same gets that one's answer, which will be no older than the question.
   */
  function synchronise(userId: string, subscriptionId: string): Promise<Learned> {
    const key = `${userId} ${subscriptionId}`
    const shared = waiting.get(key)
    if (shared) return shared
    const mine = inTurn(userId, () => {
      waiting.delete(key)
      return askAndApply(userId, subscriptionId)
    })
    waiting.set(key, mine)
    return mine
  }

  /** Answers whether one of them is not over, whatever was heard of it so far. */
  async function synchroniseAll(userId: string, subscriptionIds: string[]): Promise<boolean> {
    let unfinished = false
    for (const id of new Set(subscriptionIds)) {
      const { facts } = await synchronise(userId, id)
      unfinished ||= facts !== null && facts.standing !== 'over'
    }
    return unfinished
  }

  /** An answer that was asked for before another one was applied may be older than that one: it is asked for again. */
  async function askAndApply(userId: string, subscriptionId: string): Promise<Learned> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const before = await accounts.current(userId)
      const state = await stripe.subscription(subscriptionId)
      if (!state || !belongsTo(before, state.facts)) return { account: before, facts: null }
      const other = currentSubscription(before)
      if (other && other.id !== subscriptionId && state.facts.standing !== 'over') {
        const learned = await beside(userId, other.id, state)
        if (learned) return learned
        continue
      }
      const account = await apply(before, state)
      if (account) return { account, facts: state.facts }
    }
    throw new Error('What Stripe knows of a subscription changed faster than it could be followed')
  }

  /** Answers the account, or null when it learned something from Stripe since `before` was read. */
  async function apply(before: Account, { facts, invoices }: SubscriptionState): Promise<Account | null> {
    let applied = false
    const account = await accounts.change(before.userId, (now, _past, at) => {
      applied = now.stripeRevision === before.stripeRevision
      return applied ? follow(now, facts, at) : null
    })
    if (!applied) return null
    const granted =
      account.subscription?.grantedUntil.getTime() !== before.subscription?.grantedUntil.getTime()
    if (granted) secondsSold.inc(account.totalSeconds)
    await payments.record(account.userId, account.stripeRevision, invoices)
    return account
  }

  /**
   * A second subscription beside the one that holds the account: when that one is over in truth, answers null and
   * the second may take its place; otherwise the second is given back, money and all.
   */
  async function beside(
    userId: string,
    holderId: string,
    second: SubscriptionState,
  ): Promise<Learned | null> {
    const holder = await askAndApply(userId, holderId)
    if (currentSubscription(holder.account)?.id !== holderId) return null
    const paid = second.invoices.filter(({ status }) => status === 'paid')
    for (const paymentIntent of paid.flatMap(({ paymentIntents }) => paymentIntents)) {
      await stripe.refund(paymentIntent)
    }
    // The money first: a subscription that is over would not be looked at again.
    await stripe.cancelNow(second.facts.id)
    await payments.record(userId, holder.account.stripeRevision, second.invoices)
    for (const { paymentIntents, amount } of paid) {
      for (const paymentIntent of paymentIntents) await payments.refunded(paymentIntent, amount)
    }
    return { account: holder.account, facts: second.facts }
  }

  /** A Checkout session that is not open any more: what was bought takes effect, and another purchase may begin. */
  async function sessionEnded(userId: string, session: EndedSession): Promise<Learned> {
    const learned = session.subscriptionId
      ? await synchronise(userId, session.subscriptionId)
      : { account: await accounts.current(userId), facts: null }
    if (learned.account.checkout?.sessionId !== session.id) return learned
    const account = await accounts.change(userId, now => closeCheckout(now, session.id))
    return { ...learned, account }
  }

  /**
   * Looks after an account of which no news came for a while, in case a webhook went missing: its purchase, its
   * subscription, and any other of its customer.
   */
  async function recheck(userId: string): Promise<void> {
    const { checkout, customerId, ...account } = await accounts.current(userId)
    const session = checkout && (await stripe.session(checkout.sessionId))
    if (session && session.status !== 'open') await sessionEnded(userId, session)
    const current = currentSubscription({ ...account, checkout, customerId })
    const billed = customerId ? await stripe.subscriptionsOf(customerId) : []
    const unfinished = await synchroniseAll(userId, [...(current ? [current.id] : []), ...billed])
    await accounts.change(userId, (now, _past, at) =>
      silently({ ...now, recheckAt: nextRecheck(now, unfinished, at) }),
    )
  }

  /** Synchronises the user whom news from Stripe is about; null when it is about none of ours. */
  async function heardOf({ subscriptionId, customerId, userId }: SubscriptionHint): Promise<Learned | null> {
    const owner = userId ?? (customerId ? (await accounts.byCustomer(customerId))?.userId : undefined)
    return owner ? synchronise(owner, subscriptionId) : null
  }

  return { synchronise, synchroniseAll, sessionEnded, recheck, heardOf }
}

/** Sold to this user by us, or made by hand at Stripe for this user's customer. */
const belongsTo = ({ userId, customerId }: Account, facts: SubscriptionFacts) =>
  facts.userId === userId || customerId === facts.customerId
