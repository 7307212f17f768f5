import type { PaidPlan } from '@voxscribe/contracts/plans'
import type { UiLanguage } from '@voxscribe/languages'
import { invalidField, refusal } from '@voxscribe/service'
import { type Account, type OpenCheckout, type Subscription, stateOnly } from '../minutes/account.ts'
import { isCustomerGone, wasAnswered } from '../stripe/errors.ts'
import type { SessionFacts } from '../stripe/facts.ts'
import { currentSubscription, nextRound, openCheckout } from './subscription.ts'
import type { Selling } from './synchronise.ts'

interface Deps extends Selling {
  priceIds: Record<PaidPlan, string>
  publicUrl: string
}

const nothingToBuy = ({ paymentProblem }: Subscription) =>
  refusal(paymentProblem ? 'payment_problem' : 'already_subscribed')

/** Another tab may end the purchase in between, so each try starts from the current state. */
const TRIES = 3

/** Starts the purchase of a plan, or returns the open one: a user has at most one at a time. */
export function createCheckout({ accounts, synchronise, purchaseEnded, stripe, priceIds, publicUrl }: Deps) {
  /** `language`: for Stripe's page, if the purchase is new. */
  async function start(
    userId: string,
    plan: PaidPlan,
    askedPrice: string | undefined,
    language: UiLanguage,
  ): Promise<OpenCheckout> {
    const priceId = priceIds[plan]
    if (askedPrice !== undefined && askedPrice !== priceId) {
      throw invalidField('priceId', 'price_changed')
    }
    for (let tried = 1; tried <= TRIES; tried++) {
      const account = await accounts.current(userId)
      const current = currentSubscription(account)
      if (current) throw nothingToBuy(current)
      const checkout = account.checkout
        ? await resume(account, account.checkout)
        : await begin(account, priceId, language)
      if (checkout) return checkout
    }
    throw refusal('purchase_changed')
  }

  /** Returns the purchase if it's still open at Stripe. */
  async function resume({ userId }: Account, checkout: OpenCheckout): Promise<OpenCheckout | null> {
    const session = await stripe.session(checkout.sessionId)
    if (session?.status === 'open') return checkout
    await purchaseEnded(userId, session ?? { id: checkout.sessionId, subscriptionId: null })
    return null
  }

  /** Begins a purchase; null if the account has changed so that another try is needed. */
  async function begin(
    account: Account,
    priceId: string,
    language: UiLanguage,
  ): Promise<OpenCheckout | null> {
    const { userId, checkoutRound: round } = account
    const session = await newSession(account, priceId, language).catch(async error => {
      if (!wasAnswered(error)) throw error
      const gone = isCustomerGone(error)
      await accounts.change(userId, current =>
        current.checkoutRound === round && !current.checkout ? nextRound(current, gone) : null,
      )
      if (!gone || account.customerId === null) throw error
    })
    if (!session) return null
    const { id, url, expiresAt } = session
    const checkout = { sessionId: id, url, expiresAt }
    const { account: saved } = await accounts.change(userId, (current, _past, at) =>
      current.checkoutRound === round && !current.checkout && !currentSubscription(current)
        ? openCheckout(current, checkout, at)
        : null,
    )
    return saved.checkout?.sessionId === id ? checkout : null
  }

  async function newSession(account: Account, priceId: string, language: UiLanguage): Promise<SessionFacts> {
    const { userId, checkoutRound: round } = account
    const customerId = account.customerId ?? (await newCustomer(account))
    for (const id of await stripe.subscriptionsOf(customerId)) {
      const { facts } = await synchronise(userId, id)
      if (!facts || facts.standing === 'over') continue
      // The webhook hasn't arrived yet: the subscription is paid, or about to be.
      const current = currentSubscription(await accounts.current(userId))
      throw current ? nothingToBuy(current) : refusal('payment_pending')
    }
    return stripe.createSession({ userId, customerId, priceId, round, publicUrl, language })
  }

  async function newCustomer(account: Account): Promise<string> {
    const made = await stripe.createCustomer({ ...account, round: account.checkoutRound })
    const kept = await accounts.change(account.userId, current =>
      current.customerId
        ? null
        : // A change made in between still has to be sent.
          stateOnly({
            ...current,
            customerId: made,
            customerStale: current.contactRevision !== account.contactRevision,
          }),
    )
    return kept.account.customerId ?? made
  }

  return { start }
}
