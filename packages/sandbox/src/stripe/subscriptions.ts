import type { Stripe } from 'stripe'
import { periodAfter } from './catalogue.ts'
import { invalid, missing } from './errors.ts'
import { PAYMENT_ATTEMPTS, type Payments, type StripeDeps } from './payments.ts'
import { idOf } from './store.ts'
import { itemOf, newSubscription } from './subscription-object.ts'

export type Subscriptions = ReturnType<typeof createSubscriptions>

const isOver = ({ status }: Stripe.Subscription) => status === 'canceled' || status === 'incomplete_expired'

/** The life of a subscription: begun, renewed, failing, cancelled. Changes are told as events with what was before. */
export function createSubscriptions(deps: StripeDeps & { payments: Payments }) {
  const { store, emit, now, payments } = deps

  function change(before: Stripe.Subscription, changes: Partial<Stripe.Subscription>): Stripe.Subscription {
    const after = store.put({ ...before, ...changes })
    const previous = Object.fromEntries(
      Object.keys(changes)
        .map(key => [key, before[key as keyof Stripe.Subscription]] as const)
        .filter(
          ([key, value]) => JSON.stringify(value) !== JSON.stringify(after[key as keyof Stripe.Subscription]),
        ),
    )
    if (Object.keys(previous).length) emit('customer.subscription.updated', after, previous)
    return after
  }

  function begin(given: {
    customer: string
    price: Stripe.Price
    quantity: number
    metadata: Stripe.Metadata
  }): Stripe.Subscription {
    const made = store.put(newSubscription(given, now()))
    const invoice = payments.createInvoice(made, 'subscription_create')
    const begun = store.put({ ...made, latest_invoice: invoice.id })
    emit('customer.subscription.created', begun)
    return begun
  }

  /** The first payment has arrived, or will not. */
  function settleFirst(subscription: Stripe.Subscription, outcome: 'paid' | 'declined') {
    const invoice = store.get<Stripe.Invoice>('invoice', String(idOf(subscription.latest_invoice)))
    payments.collect(invoice, outcome, false)
    if (outcome === 'paid') return change(subscription, { status: 'active' })
    store.put<Stripe.Invoice>({ ...store.get<Stripe.Invoice>('invoice', invoice.id), status: 'void' })
    return change(subscription, { status: 'incomplete_expired', ended_at: now() })
  }

  function end(subscription: Stripe.Subscription, reason?: Stripe.Subscription.CancellationDetails.Reason) {
    const details = subscription.cancellation_details
    const ended = store.put<Stripe.Subscription>({
      ...subscription,
      status: 'canceled',
      canceled_at: subscription.canceled_at ?? now(),
      ended_at: now(),
      cancellation_details: {
        comment: null,
        feedback: null,
        feedback_option: null,
        reason: reason ?? details?.reason ?? 'cancellation_requested',
      },
    })
    emit('customer.subscription.deleted', ended)
    return ended
  }

  function renew(subscription: Stripe.Subscription, outcome: 'paid' | 'declined') {
    const item = itemOf(subscription)
    const start = item.current_period_end
    const renewed = {
      ...item,
      current_period_start: start,
      current_period_end: periodAfter(start, item.price.recurring, subscription.billing_cycle_anchor),
    }
    const moved = { ...subscription, items: { ...subscription.items, data: [renewed] } }
    const invoice = payments.createInvoice(moved, 'subscription_cycle')
    const cycled = change(subscription, { items: moved.items, latest_invoice: invoice.id })
    payments.collect(invoice, outcome)
    return outcome === 'paid' ? cycled : change(cycled, { status: 'past_due' })
  }

  function retry(subscription: Stripe.Subscription, outcome: 'paid' | 'declined') {
    const invoice = store.get<Stripe.Invoice>('invoice', String(idOf(subscription.latest_invoice)))
    const last = invoice.attempt_count + 1 >= PAYMENT_ATTEMPTS
    payments.collect(invoice, outcome, !last)
    if (outcome === 'paid') return change(subscription, { status: 'active' })
    return last ? end(subscription, 'payment_failed') : subscription
  }

  /**
   * Lets the billing period of one subscription pass: it renews, or ends when it was cancelled. While a payment is
   * past due, one retry of the payment passes instead.
   */
  function advance(id: string, outcome: 'paid' | 'declined'): Stripe.Subscription {
    const subscription = store.get<Stripe.Subscription>('subscription', id)
    if (subscription.status === 'past_due') return retry(subscription, outcome)
    if (subscription.status !== 'active')
      throw invalid(`A subscription that is ${subscription.status} has no period that could pass.`)
    const { cancel_at, cancel_at_period_end } = subscription
    const ends =
      cancel_at_period_end || (cancel_at !== null && cancel_at <= itemOf(subscription).current_period_end)
    return ends ? end(subscription) : renew(subscription, outcome)
  }

  function update(
    id: string,
    given: { cancelAtPeriodEnd?: boolean; cancelAt?: number | null; metadata?: Stripe.Metadata },
  ): Stripe.Subscription {
    const subscription = store.get<Stripe.Subscription>('subscription', id)
    const { cancelAtPeriodEnd, cancelAt, metadata } = given
    const cancels = cancelAtPeriodEnd !== undefined || cancelAt !== undefined
    if (isOver(subscription) && cancels)
      throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
    if (cancelAtPeriodEnd && cancelAt)
      throw invalid('You may only set one of cancel_at and cancel_at_period_end.', { param: 'cancel_at' })
    if (cancelAt && cancelAt <= now())
      throw invalid('The timestamp of cancel_at must be in the future.', { param: 'cancel_at' })
    return change(subscription, {
      ...(metadata && { metadata }),
      ...(cancels && cancellation(subscription, cancelAtPeriodEnd, cancelAt)),
    })
  }

  function cancellation(
    subscription: Stripe.Subscription,
    atPeriodEnd: boolean | undefined,
    at: number | null | undefined,
  ): Partial<Stripe.Subscription> {
    const asked = (canceled: boolean): Partial<Stripe.Subscription> => ({
      canceled_at: canceled ? now() : null,
      cancellation_details: {
        comment: null,
        feedback: null,
        feedback_option: null,
        reason: canceled ? 'cancellation_requested' : null,
      },
    })
    if (atPeriodEnd)
      return {
        cancel_at_period_end: true,
        cancel_at: itemOf(subscription).current_period_end,
        ...asked(true),
      }
    if (at) return { cancel_at_period_end: false, cancel_at: at, ...asked(true) }
    // `cancel_at_period_end=false` takes back only what that parameter has set; `cancel_at=` clears both.
    if (at === null || subscription.cancel_at_period_end)
      return { cancel_at_period_end: false, cancel_at: null, ...asked(false) }
    return {}
  }

  function cancelNow(id: string) {
    const subscription = store.get<Stripe.Subscription>('subscription', id)
    if (isOver(subscription)) throw missing('subscription', id)
    return end(subscription)
  }

  return { begin, settleFirst, advance, update, cancelNow }
}
