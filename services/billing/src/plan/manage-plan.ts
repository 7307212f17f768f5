import { randomUUID } from 'node:crypto'
import type { UiLanguage } from '@voxscribe/languages'
import { refusal } from '@voxscribe/service'
import { type Account, stateOnly } from '../minutes/account.ts'
import type { Period } from '../minutes/months.ts'
import { fallbackPeriod, type SessionFacts, type SubscriptionFacts } from '../stripe/facts.ts'
import { currentSubscription, isBlockAhead } from './subscription.ts'
import type { Selling, Synchronised } from './synchronise.ts'

interface Deps extends Selling {
  /** The product's address, without a trailing slash. */
  publicUrl: string
}

export interface Verified {
  session: SessionFacts
  period: Period | null
}

export type PlanManagement = ReturnType<typeof createPlanManagement>

/** Manages a plan: cancellation and its undo, Stripe's portal, and the outcome of a purchase. */
export function createPlanManagement({ accounts, synchronise, purchaseEnded, stripe, publicUrl }: Deps) {
  return {
    async cancel(userId: string): Promise<Account> {
      // The person has now canceled as well, so the end of the block must not undo it.
      await noteCanceledByBlock(userId, null)
      return changeCancellation(userId, facts =>
        isCancelling(facts) ? undefined : stripe.cancelAtPeriodEnd(facts.id, randomUUID()),
      )
    },

    reactivate,

    /** Cancels a blocked account's subscription at the period's end, and undoes that after the block. Idempotent. */
    async applyBlock(userId: string): Promise<void> {
      const account = await accounts.current(userId)
      if (!isBlockAhead(account)) return
      if (!account.blocked) {
        await reactivate(userId)
        return noteCanceledByBlock(userId, null)
      }
      await changeCancellation(userId, facts =>
        isCancelling(facts)
          ? undefined
          : noteCanceledByBlock(userId, facts.id).then(() =>
              stripe.cancelAtPeriodEnd(facts.id, randomUUID()),
            ),
      )
    },

    /** Returns the address of Stripe's page for cards and invoices. */
    async portalUrl(userId: string, language: UiLanguage): Promise<string> {
      const { customerId } = await accounts.current(userId)
      const backTo = `${publicUrl}/subscription-details`
      const url = customerId && (await stripe.portalUrl(customerId, backTo, language))
      if (!url) throw refusal('not_subscribed')
      return url
    },

    /** Checks a Checkout session of this user; a payment takes effect, even before its webhook. */
    async verify(userId: string, sessionId: string): Promise<Verified> {
      // All session ids begin with this, so nothing else is looked up.
      const session = sessionId.startsWith('cs_') ? await stripe.session(sessionId) : null
      if (session?.userId !== userId || !session) throw refusal('session_not_found')
      if (session.status !== 'complete') return { session, period: null }
      const learned = await purchaseEnded(userId, session)
      return { session, period: session.paymentStatus === 'unpaid' ? null : periodOf(session, learned) }
    },
  }

  function reactivate(userId: string): Promise<Account> {
    return changeCancellation(userId, facts =>
      isCancelling(facts) ? stripe.keep(facts, randomUUID()) : undefined,
    )
  }

  async function noteCanceledByBlock(userId: string, id: string | null): Promise<void> {
    await accounts.change(userId, account =>
      (account.canceledByBlock ?? null) === id ? null : stateOnly({ ...account, canceledByBlock: id }),
    )
  }

  /** Updates Stripe if necessary, then applies Stripe's state. Idempotent. */
  async function changeCancellation(
    userId: string,
    write: (facts: SubscriptionFacts) => Promise<void> | undefined,
  ): Promise<Account> {
    const current = currentSubscription(await accounts.current(userId))
    if (!current) throw refusal('not_subscribed')
    const { account, facts } = await synchronise(userId, current.id)
    if (!facts || currentSubscription(account)?.id !== current.id) throw refusal('not_subscribed')
    const written = write(facts)
    if (!written) return account
    await written
    const changed = await synchronise(userId, current.id)
    if (!currentSubscription(changed.account)) throw refusal('not_subscribed')
    return changed.account
  }
}

const isCancelling = (facts: SubscriptionFacts) => facts.cancelAtPeriodEnd || facts.cancelAt !== null

function periodOf(session: SessionFacts, { account, facts }: Synchronised): Period {
  if (currentSubscription(account)?.id === session.subscriptionId) {
    return { start: account.periodStart, end: account.periodEnd }
  }
  return facts?.paidPeriod ?? fallbackPeriod(session.createdAt)
}
