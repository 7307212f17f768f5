import { FALLBACK_PERIOD_DAYS, PLANS } from '@voxscribe/contracts/plans'
import type { Stripe } from 'stripe'
import { z } from 'zod'
import type { Period } from '../minutes/months.ts'

// Stripe's objects in API version 2026-10-28.endive: periods are on the subscription's items and the invoice's lines,
// and an invoice names its subscription under `parent`. Responses have that version; events have their endpoint's, so
// only hints are read from them, from fields that every version has.

/** An invoice as returned by Stripe. Amounts in the currency's smallest unit. */
export const InvoiceFacts = z.object({
  subscriptionId: z.string(),
  /** Stripe's status: `open`, `paid`, `uncollectible` or `void`. */
  status: z.string(),
  /** Whether Stripe has tried to collect it. */
  attempted: z.boolean(),
  amount: z.number(),
  currency: z.string(),
  /** When it was paid, otherwise when it was created. */
  at: z.date(),
  paymentIntents: z.array(z.string()),
})
/** `period`: the period that it pays for. */
export type Invoice = z.infer<typeof InvoiceFacts> & { id: string; period: Period | null }

/** The subscription that an event seems to be about; its state is then read from Stripe. */
export interface SubscriptionHint {
  subscriptionId: string
  customerId: string | null
  userId: string | null
}

/** `live`: access; `late`: a payment failed, Stripe retries; `pending`: never paid; `over`: canceled or given up. */
type Standing = 'live' | 'late' | 'pending' | 'over'
const STANDING: Partial<Record<Stripe.Subscription.Status, Standing>> = {
  active: 'live',
  trialing: 'live',
  past_due: 'late',
  incomplete: 'pending',
  incomplete_expired: 'over',
  canceled: 'over',
  unpaid: 'over',
  paused: 'live',
}

const DAY_MS = 86_400_000

/** Decimals of currencies whose smallest unit at Stripe isn't a hundredth (docs.stripe.com/currencies). */
const DECIMALS = new Map([
  ...'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ').map(code => [code, 0] as const),
  ...'bhd jod kwd omr tnd'.split(' ').map(code => [code, 3] as const),
])

/** Returns an amount that Stripe states in the currency's smallest unit. */
export const amountOf = (smallest: number, currency: string): number =>
  smallest / 10 ** (DECIMALS.get(currency) ?? 2)

const dateOf = (seconds: number): Date => new Date(seconds * 1000)
const dateIf = (seconds: number | null): Date | null => (seconds ? dateOf(seconds) : null)
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

/** The period if Stripe names none: 30 days from `start`. */
export const fallbackPeriod = (start: Date): Period => ({
  start,
  end: new Date(start.getTime() + FALLBACK_PERIOD_DAYS * DAY_MS),
})

/** The fields of a Checkout session that a purchase needs. Amounts in the currency's smallest unit. */
export const sessionFacts = (session: Stripe.Checkout.Session) => ({
  id: session.id,
  /** Null for a session that isn't ours. */
  userId: session.metadata?.user_id ?? null,
  /** `open`, `complete` or `expired`. */
  status: session.status ?? 'open',
  /** `paid`, `unpaid` or `no_payment_required`. */
  paymentStatus: session.payment_status,
  subscriptionId: idOf(session.subscription),
  url: session.url ?? '',
  amountTotal: session.amount_total ?? 0,
  currency: session.currency ?? '',
  createdAt: dateOf(session.created),
  expiresAt: dateOf(session.expires_at),
})
export type SessionFacts = ReturnType<typeof sessionFacts>

/**
 * A subscription with its invoices. For an active one that was never billed, its own period counts as paid. Other
 * products may share the Stripe account: ours has one of our prices or names its buyer.
 */
export function subscriptionFacts(
  subscription: Stripe.Subscription,
  billed: Stripe.Invoice[],
  priceIds: string[],
) {
  const ours = subscription.items.data.find(({ price }) => priceIds.includes(price.id))
  const item = ours ?? subscription.items.data[0]
  const ownPeriod = item?.current_period_end
    ? { start: dateOf(item.current_period_start), end: dateOf(item.current_period_end) }
    : fallbackPeriod(dateOf(subscription.created))
  const neverBilled = !billed.some(invoice => subscriptionIdOf(invoice) === subscription.id)
  const paid = invoicesOf(subscription.id, billed)
    .filter(({ status }) => status === 'paid')
    .map(({ period }) => period ?? ownPeriod)
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    /** The user that we sold it to; null if it wasn't purchased through us. */
    userId: subscription.metadata.user_id ?? null,
    hasOurPrice: ours !== undefined,
    /** Nothing is billed until it resumes; paid periods stay. */
    isPaused: subscription.status === 'paused' || Boolean(subscription.pause_collection),
    /** An unknown status neither grants nor ends anything. */
    standing: STANDING[subscription.status] ?? 'pending',
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    /** The cancellation date; a cancellation in Stripe's portal sets only this. */
    cancelAt: dateIf(subscription.cancel_at),
    endedAt: dateIf(subscription.ended_at),
    /** The newest paid period; null if there is none. */
    paidPeriod: neverBilled && subscription.status === 'active' ? ownPeriod : newest(paid),
    /** In the currency's smallest unit. */
    price: item?.price.unit_amount ?? 0,
    currency: item?.price.currency ?? '',
    /** Stripe's billing interval of the price; default: `month`. */
    interval: item?.price.recurring?.interval ?? PLANS.monthly.interval,
  }
}
export type SubscriptionFacts = ReturnType<typeof subscriptionFacts>

const newest = (periods: Period[]): Period | null =>
  periods.reduce<Period | null>(
    (latest, period) => (latest && latest.end >= period.end ? latest : period),
    null,
  )

/** The invoices of one subscription, without drafts. */
export const invoicesOf = (subscriptionId: string, invoices: Stripe.Invoice[]): Invoice[] =>
  invoices.flatMap(invoice => {
    const { status } = invoice
    if (subscriptionIdOf(invoice) !== subscriptionId || !status || status === 'draft') return []
    return [
      {
        id: invoice.id,
        subscriptionId,
        status,
        attempted: invoice.attempt_count > 0,
        amount: status === 'paid' ? invoice.amount_paid : invoice.amount_due,
        currency: invoice.currency,
        at: dateOf(invoice.status_transitions.paid_at ?? invoice.created),
        paymentIntents: paymentIntentsOf(invoice),
        period: newest(
          invoice.lines.data
            .map(({ period }) => ({ start: dateOf(period.start), end: dateOf(period.end) }))
            .filter(({ start, end }) => end > start),
        ),
      },
    ]
  })

const subscriptionIdOf = (invoice: Stripe.Invoice): string | null =>
  idOf(invoice.parent?.subscription_details?.subscription)

/** Without failed payments: Stripe keeps them as canceled and refuses to refund them. */
export const paymentIntentsOf = (invoice: Stripe.Invoice): string[] =>
  (invoice.payments?.data ?? []).flatMap(({ status, payment }) =>
    status === 'paid' ? (idOf(payment.payment_intent) ?? []) : [],
  )

export const hintOfSubscription = (subscription: Stripe.Subscription): SubscriptionHint => ({
  subscriptionId: subscription.id,
  customerId: idOf(subscription.customer),
  userId: subscription.metadata?.user_id ?? null,
})

export function hintOfInvoice(invoice: Stripe.Invoice): SubscriptionHint | null {
  const subscriptionId = subscriptionIdOf(invoice)
  if (!subscriptionId) return null
  const userId = invoice.parent?.subscription_details?.metadata?.user_id ?? null
  return { subscriptionId, customerId: idOf(invoice.customer), userId }
}
