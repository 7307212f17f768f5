import { randomUUID } from 'node:crypto'
import { derivedId } from '@voxscribe/contracts/events'
import type { UiLanguage } from '@voxscribe/languages'
import { boundedFetch, type Logger } from '@voxscribe/service'
import type { Stripe } from 'stripe'
import type { Account } from '../minutes/account.ts'
import { isStripeError, known, refuse } from './errors.ts'
import {
  hintOfInvoice,
  type Invoice,
  invoicesOf,
  paymentIntentsOf,
  type SessionFacts,
  type SubscriptionFacts,
  type SubscriptionHint,
  sessionFacts,
  subscriptionFacts,
} from './facts.ts'

interface StripeAccess {
  secretKey: string
  /** The prices of our paid plans. */
  priceIds: string[]
  /** Origin of the API; unset: Stripe's. */
  apiUrl: string | undefined
  /** Per call; each is tried twice. */
  timeoutMs: number
}

export interface StripeSubscription {
  facts: SubscriptionFacts
  invoices: Invoice[]
}

export type StripeCalls = ReturnType<typeof connectStripe>

/** Locales of Stripe's pages; for languages that Stripe lacks, the browser's. */
const LOCALES = {
  en: 'en',
  es: 'es',
  pt: 'pt-BR',
  fr: 'fr',
  de: 'de',
  it: 'it',
  id: 'id',
  hi: 'auto',
  ar: 'auto',
} as const satisfies Record<UiLanguage, string>
/** Newest invoices to read for paid periods: more than a year of renewals, including failed ones. */
const INVOICES = 20
/** A hundred times the size of a list of invoices. */
const ANSWER_BYTES_MAX = 32_000_000

/** Opens Stripe's library: 218 modules, loaded on the first call. */
export async function openStripe(access: Omit<StripeAccess, 'priceIds'>): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  return new Stripe(access.secretKey, {
    ...(access.apiUrl ? addressOf(access.apiUrl) : {}),
    timeout: access.timeoutMs,
    maxNetworkRetries: 1,
    httpClient: Stripe.createFetchHttpClient(boundedFetch(ANSWER_BYTES_MAX)),
    telemetry: false,
  })
}

/** Stripe's API. Calls throw 503 if Stripe is unavailable, 502 if it refuses. Writes have idempotency keys. */
export function connectStripe(access: StripeAccess, log: Logger) {
  let stripe: Stripe

  /** Returns [] for a customer that was deleted at Stripe. */
  async function newestInvoices(
    of: { customer: string } | { subscription: string },
  ): Promise<Stripe.Invoice[]> {
    const list = () => stripe.invoices.list({ ...of, limit: INVOICES, expand: ['data.payments'] })
    return (await known(list))?.data ?? []
  }

  const calls = {
    async createCustomer(user: Customer): Promise<string> {
      const { userId, email, name, round } = user
      const idempotencyKey = `customer-${derivedId(userId, email ?? '', name ?? '', String(round))}`
      const customer = await stripe.customers.create(
        { ...(email ? { email } : {}), ...(name ? { name } : {}), metadata: { user_id: userId } },
        { idempotencyKey },
      )
      return customer.id
    },

    /** Ignores a customer that was deleted at Stripe. */
    async updateCustomer(
      id: string,
      user: { email: string; name: string | null; revision: number },
    ): Promise<void> {
      const { email, name, revision } = user
      const idempotencyKey = `customer-update-${derivedId(id, email, name ?? '', String(revision))}`
      await known(() => stripe.customers.update(id, { email, name: name ?? '' }, { idempotencyKey }))
    },

    /** Deletes the customer with cards and subscriptions, which end at once. Stripe keeps invoices. Idempotent. */
    async deleteCustomer(id: string): Promise<void> {
      await known(() => stripe.customers.del(id))
    },

    /** The same purchase (user and round) returns the same session, from however many tabs it's started. */
    async createSession(purchase: Purchase): Promise<SessionFacts> {
      const params = sessionParams(purchase)
      const idempotencyKey = `checkout-${derivedId(purchase.userId, String(purchase.round), JSON.stringify(params))}`
      return sessionFacts(await stripe.checkout.sessions.create(params, { idempotencyKey }))
    },

    /** Null if Stripe doesn't know it. */
    session: (id: string): Promise<SessionFacts | null> =>
      known(async () => sessionFacts(await stripe.checkout.sessions.retrieve(id))),

    async expireSession(id: string): Promise<void> {
      await stripe.checkout.sessions.expire(id, {}, { idempotencyKey: `expire-${id}` })
    },

    /** The current state of a subscription, with its newest invoices. Null if Stripe doesn't know it. */
    async subscription(id: string): Promise<StripeSubscription | null> {
      const subscription = await known(() => stripe.subscriptions.retrieve(id))
      if (!subscription) return null
      // Not the customer's invoices: those of other products would leave no room for ours.
      const billed = await newestInvoices({ subscription: id })
      const facts = subscriptionFacts(subscription, billed, access.priceIds)
      return { facts, invoices: invoicesOf(id, billed) }
    },

    /** The subscriptions on a customer's newest invoices, in any state. */
    async subscriptionsOf(customerId: string): Promise<string[]> {
      const hints = (await newestInvoices({ customer: customerId })).map(hintOfInvoice)
      return [...new Set(hints.flatMap(hint => hint?.subscriptionId ?? []))]
    },

    async cancelAtPeriodEnd(id: string, requestId: string): Promise<void> {
      const idempotencyKey = `cancel-${requestId}`
      await stripe.subscriptions.update(id, { cancel_at_period_end: true }, { idempotencyKey })
    },

    /** Undoes a cancellation. One made in the portal has only a date, which is cleared. */
    async keep({ id, cancelAtPeriodEnd }: SubscriptionFacts, requestId: string): Promise<void> {
      const undo = cancelAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' as const }
      await stripe.subscriptions.update(id, undo, { idempotencyKey: `keep-${requestId}` })
    },

    /** Ignores a subscription that is already over, which Stripe reports as missing. */
    async cancelNow(id: string): Promise<void> {
      await known(() => stripe.subscriptions.cancel(id, {}, { idempotencyKey: `cancel-now-${id}` }))
    },

    /** Refunds a whole payment. Idempotent. */
    async refund(paymentIntent: string): Promise<void> {
      const refund = { payment_intent: paymentIntent, reason: 'duplicate' as const }
      await stripe.refunds.create(refund, { idempotencyKey: `refund-${paymentIntent}` }).catch(error => {
        if (!isStripeError(error) || error.code !== 'charge_already_refunded') throw error
      })
    },

    /** A page of Stripe's for changing the card and viewing invoices; null if Stripe doesn't know the customer. */
    async portalUrl(customer: string, returnUrl: string, language: UiLanguage): Promise<string | null> {
      const idempotencyKey = `portal-${randomUUID()}`
      const params = { customer, return_url: returnUrl, locale: LOCALES[language] }
      const open = () => stripe.billingPortal.sessions.create(params, { idempotencyKey })
      return (await known(open))?.url ?? null
    },

    charge: (id: string) => known(() => stripe.charges.retrieve(id)),
    dispute: (id: string) => known(() => stripe.disputes.retrieve(id)),

    async subscriptionPaidBy(customerId: string, paymentIntent: string): Promise<SubscriptionHint | null> {
      const invoices = await newestInvoices({ customer: customerId })
      const paid = invoices.find(invoice => paymentIntentsOf(invoice).includes(paymentIntent))
      return paid ? hintOfInvoice(paid) : null
    },

    /** Null for an invoice without a subscription; undefined if it isn't among the customer's newest. */
    async subscriptionBilledBy(customerId: string, id: string): Promise<SubscriptionHint | null | undefined> {
      const billed = (await newestInvoices({ customer: customerId })).find(invoice => invoice.id === id)
      return billed && hintOfInvoice(billed)
    },
  }
  const withStripe =
    (call: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]) => {
      stripe ??= await openStripe(access)
      return call(...args).catch(error => refuse(error, log))
    }
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, withStripe(call)]),
  ) as typeof calls
}

interface Customer extends Pick<Account, 'userId' | 'email' | 'name'> {
  /** Counts purchases; the same round reuses the same customer. */
  round: number
}

interface Purchase {
  userId: string
  customerId: string
  priceId: string
  round: number
  /** The product's address, without a trailing slash. */
  publicUrl: string
  language: UiLanguage
}

const sessionParams = ({ userId, customerId, priceId, publicUrl, language }: Purchase) => ({
  mode: 'subscription' as const,
  locale: LOCALES[language],
  line_items: [{ price: priceId, quantity: 1 }],
  customer: customerId,
  client_reference_id: userId,
  metadata: { user_id: userId },
  subscription_data: { metadata: { user_id: userId } },
  // Stripe fills in the session's id.
  success_url: `${publicUrl}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
  cancel_url: `${publicUrl}/subscription/cancel`,
})

function addressOf(apiUrl: string) {
  const { protocol, hostname, port } = new URL(apiUrl)
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const)
  return { host: hostname, protocol: scheme, port: port || (scheme === 'http' ? 80 : 443) }
}
