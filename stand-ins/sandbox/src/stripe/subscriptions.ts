import { invalid, missing } from './errors.ts'
import {
  itemOf,
  monthAfter,
  newInvoice,
  newSubscription,
  type Outcome,
  type Session,
  type Subscription,
  unixNow,
} from './objects.ts'
import type { Given } from './parameters.ts'
import type { Payments } from './payments.ts'
import type { StripeStore } from './store.ts'

// Stripe's smart retries end after a few weeks; the stand-in gives up at the fourth declined attempt.
export const PAYMENT_ATTEMPTS = 4

export type Subscriptions = ReturnType<typeof createSubscriptions>

const isOver = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired'

/** A subscription from purchase to end. Events of changes carry the previous values. */
export function createSubscriptions({ emit, get, list, put }: StripeStore, payments: Payments) {
  const latestInvoice = ({ latest_invoice }: Subscription) => get('invoice', latest_invoice)

  function change(before: Subscription, changes: Partial<Subscription>): Subscription {
    const after = { ...before, ...changes }
    const previous = Object.entries(before).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(after[key as keyof Subscription]),
    )
    if (previous.length) emit('customer.subscription.updated', after, Object.fromEntries(previous))
    return after
  }

  const end = (subscription: Subscription) =>
    emit('customer.subscription.deleted', {
      ...subscription,
      status: 'canceled' as const,
      ended_at: unixNow(),
    })

  function renew(subscription: Subscription, outcome: Outcome) {
    const item = itemOf(subscription)
    const start = item.current_period_end
    const current_period_end = monthAfter(start, subscription.billing_cycle_anchor)
    const renewed = { ...item, current_period_start: start, current_period_end }
    const items = { ...subscription.items, data: [renewed] }
    const invoice = put(newInvoice({ ...subscription, items }, 'subscription_cycle'))
    const cycled = change(subscription, { items, latest_invoice: invoice.id })
    payments.collect(invoice, outcome)
    return outcome === 'paid' ? cycled : change(cycled, { status: 'past_due' })
  }

  function retry(subscription: Subscription, outcome: Outcome) {
    const invoice = latestInvoice(subscription)
    payments.collect(invoice, outcome)
    if (outcome === 'paid') return change(subscription, { status: 'active' })
    return invoice.attempt_count + 1 < PAYMENT_ATTEMPTS ? subscription : end(subscription)
  }

  return {
    begin({ customer, sandbox_plan: { price, metadata } }: Session): Subscription {
      const made = newSubscription(customer, get('price', price), metadata)
      const { id } = put(newInvoice(made, 'subscription_create'))
      return emit('customer.subscription.created', { ...made, latest_invoice: id })
    },

    /** Applies the outcome of the first payment. */
    settleFirst(subscription: Subscription, outcome: Outcome): void {
      payments.collect(latestInvoice(subscription), outcome)
      if (outcome === 'paid') return void change(subscription, { status: 'active' })
      put({ ...latestInvoice(subscription), status: 'void' })
      change(subscription, { status: 'incomplete_expired', ended_at: unixNow() })
    },

    /** Advances a billing period: the subscription renews, or ends if canceled; if past due, retries its payment. */
    advance(id: string, outcome: Outcome): Subscription {
      const subscription = get('subscription', id)
      const { status, cancel_at } = subscription
      if (status === 'past_due') return retry(subscription, outcome)
      if (status !== 'active')
        throw invalid(`A subscription that is ${status} has no period that could pass.`)
      const ends = cancel_at !== null && cancel_at <= itemOf(subscription).current_period_end
      return ends ? end(subscription) : renew(subscription, outcome)
    },

    update(id: string, { cancel_at_period_end, cancel_at, metadata }: Given<'subscriptionUpdate'>) {
      const subscription = get('subscription', id)
      if (isOver(subscription) && (cancel_at_period_end !== undefined || cancel_at !== undefined))
        throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
      const at = cancel_at_period_end ? itemOf(subscription).current_period_end : cancel_at
      // `cancel_at_period_end=false` undoes only what that parameter has set; `cancel_at=` clears both.
      const clears = cancel_at_period_end === false && subscription.cancel_at_period_end
      return change(subscription, {
        ...(metadata && { metadata: { ...subscription.metadata, ...metadata } }),
        ...((at !== undefined || clears) && {
          cancel_at: at ?? null,
          cancel_at_period_end: cancel_at_period_end === true,
        }),
      })
    },

    cancelNow(id: string) {
      const subscription = get('subscription', id)
      if (isOver(subscription)) throw missing('subscription', id)
      return end(subscription)
    },

    /** Returns a customer's subscriptions that haven't ended. */
    ofCustomer: (customer: string) =>
      list('subscription', { '$.customer': customer }).filter(subscription => !isOver(subscription)),
  }
}
