import { invalid, missing } from './errors.ts'
import {
  itemOf,
  monthAfter,
  newSubscription,
  type Outcome,
  type Session,
  type Subscription,
} from './objects.ts'
import type { Given } from './parameters.ts'
import { PAYMENT_ATTEMPTS, type Payments, type StripeDeps } from './payments.ts'

export type Subscriptions = ReturnType<typeof createSubscriptions>

const isOver = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired'

/** A subscription from its purchase to its end. Events of changes carry the previous values. */
export function createSubscriptions(deps: StripeDeps & { payments: Payments }) {
  const { store, emit, now, payments } = deps
  const latestInvoice = ({ latest_invoice }: Subscription) => store.get('invoice', latest_invoice)

  function change(before: Subscription, changes: Partial<Subscription>): Subscription {
    const after = store.put({ ...before, ...changes })
    const previous = Object.entries(before).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(after[key as keyof Subscription]),
    )
    if (previous.length) emit('customer.subscription.updated', after, Object.fromEntries(previous))
    return after
  }

  function begin({ customer, sandbox_plan: { price, metadata } }: Session): Subscription {
    const made = newSubscription(customer, store.get('price', price), now(), metadata)
    const { id } = payments.createInvoice(made, 'subscription_create')
    const begun = store.put({ ...made, latest_invoice: id })
    emit('customer.subscription.created', begun)
    return begun
  }

  /** The first payment has arrived, or will not. */
  function settleFirst(subscription: Subscription, outcome: Outcome): void {
    payments.collect(latestInvoice(subscription), outcome)
    if (outcome === 'paid') return void change(subscription, { status: 'active' })
    store.put({ ...latestInvoice(subscription), status: 'void' as const })
    change(subscription, { status: 'incomplete_expired', ended_at: now() })
  }

  function end(subscription: Subscription): Subscription {
    const ended = store.put<Subscription>({ ...subscription, status: 'canceled', ended_at: now() })
    emit('customer.subscription.deleted', ended)
    return ended
  }

  function renew(subscription: Subscription, outcome: Outcome) {
    const item = itemOf(subscription)
    const start = item.current_period_end
    const renewed = {
      ...item,
      current_period_start: start,
      current_period_end: monthAfter(start, subscription.billing_cycle_anchor),
    }
    const items = { ...subscription.items, data: [renewed] }
    const invoice = payments.createInvoice({ ...subscription, items }, 'subscription_cycle')
    const cycled = change(subscription, { items, latest_invoice: invoice.id })
    payments.collect(invoice, outcome)
    return outcome === 'paid' ? cycled : change(cycled, { status: 'past_due' })
  }

  function retry(subscription: Subscription, outcome: Outcome) {
    const invoice = latestInvoice(subscription)
    const last = invoice.attempt_count + 1 >= PAYMENT_ATTEMPTS
    payments.collect(invoice, outcome)
    if (outcome === 'paid') return change(subscription, { status: 'active' })
    return last ? end(subscription) : subscription
  }

  /**
   * Lets the billing period of one subscription pass: it renews, or ends when it was cancelled. While a payment is
   * past due, one retry of the payment passes instead.
   */
  function advance(id: string, outcome: Outcome): Subscription {
    const subscription = store.get('subscription', id)
    const { status, cancel_at } = subscription
    if (status === 'past_due') return retry(subscription, outcome)
    if (status !== 'active') throw invalid(`A subscription that is ${status} has no period that could pass.`)
    const ends = cancel_at !== null && cancel_at <= itemOf(subscription).current_period_end
    return ends ? end(subscription) : renew(subscription, outcome)
  }

  function update(id: string, given: Given<'subscriptionUpdate'>): Subscription {
    const subscription = store.get('subscription', id)
    const { cancel_at_period_end: atPeriodEnd, cancel_at: cancelAt, metadata } = given
    if (isOver(subscription) && (atPeriodEnd !== undefined || cancelAt !== undefined))
      throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
    if (atPeriodEnd && cancelAt)
      throw invalid('You may only set one of cancel_at and cancel_at_period_end.', { param: 'cancel_at' })
    if (cancelAt && cancelAt <= now())
      throw invalid('The timestamp of cancel_at must be in the future.', { param: 'cancel_at' })
    return change(subscription, {
      ...(metadata && { metadata: { ...subscription.metadata, ...metadata } }),
      ...cancellation(subscription, atPeriodEnd, cancelAt),
    })
  }

  function cancellation(
    subscription: Subscription,
    atPeriodEnd: boolean | undefined,
    cancelAt: number | null | undefined,
  ): Partial<Subscription> {
    const at = atPeriodEnd ? itemOf(subscription).current_period_end : cancelAt
    if (at) return { cancel_at_period_end: atPeriodEnd === true, cancel_at: at }
    // `cancel_at_period_end=false` undoes only what that parameter has set; `cancel_at=` clears both.
    const clears = at === null || (atPeriodEnd === false && subscription.cancel_at_period_end)
    return clears ? { cancel_at_period_end: false, cancel_at: null } : {}
  }

  function cancelNow(id: string) {
    const subscription = store.get('subscription', id)
    if (isOver(subscription)) throw missing('subscription', id)
    return end(subscription)
  }

  /** Returns a customer's subscriptions that have not ended. */
  const ofCustomer = (customer: string) =>
    store.list('subscription', { '$.customer': customer }).filter(subscription => !isOver(subscription))

  return { begin, settleFirst, advance, update, cancelNow, ofCustomer }
}
