import { invalid, missing } from './errors.ts'
import type { Emit } from './events.ts'
import {
  type BillingReason,
  type Charge,
  type Invoice,
  newCharge,
  newDispute,
  newInvoice,
  newInvoicePayment,
  newRefund,
  OF_SUBSCRIPTION,
  type Outcome,
  type Subscription,
} from './objects.ts'
import type { PageUrl } from './parameters.ts'
import type { StripeStore } from './store.ts'

export interface StripeDeps {
  store: StripeStore
  emit: Emit
  /** Unix seconds. */
  now: () => number
  pageUrl: PageUrl
}

// Stripe's smart retries end after a few weeks; the stand-in gives up at the fourth declined attempt.
export const PAYMENT_ATTEMPTS = 4

export type Payments = ReturnType<typeof createPayments>

/** Invoices and the money for them: charges, refunds, disputes. */
export function createPayments({ store, emit, now }: StripeDeps) {
  function createInvoice(subscription: Subscription, reason: BillingReason): Invoice {
    const invoice = store.put(newInvoice(subscription, reason, now()))
    store.put(newInvoicePayment(invoice, now()))
    return invoice
  }

  function paymentOf(invoice: Invoice) {
    const [payment] = store.list('invoice_payment', { '$.invoice': invoice.id })
    if (!payment) throw missing('invoice_payment', invoice.id)
    return payment
  }

  /** One attempt to collect an open invoice. */
  function collect(invoice: Invoice, outcome: Outcome): void {
    // A first payment that took days is one attempt, whose outcome came late.
    const first = invoice.billing_reason === 'subscription_create'
    const attempted = { ...invoice, attempt_count: first ? 1 : invoice.attempt_count + 1 }
    if (outcome === 'declined') {
      emit('invoice.payment_failed', store.put(attempted))
      return
    }
    const paid = store.put<Invoice>({
      ...attempted,
      status: 'paid',
      amount_paid: invoice.amount_due,
      status_transitions: { paid_at: now() },
    })
    store.put(newCharge(paid, paymentOf(invoice).payment.payment_intent, now()))
    emit('invoice.paid', paid)
    emit('invoice.payment_succeeded', paid)
  }

  function chargeOf(paymentIntent: string): Charge {
    const [charge] = store.list('charge', { '$.payment_intent': paymentIntent })
    if (!charge) throw missing('payment_intent', paymentIntent, 'payment_intent')
    return charge
  }

  /** The charge that paid the subscription's latest paid invoice. */
  function latestCharge(subscription: string): Charge {
    const [invoice] = store.list('invoice', { '$.status': 'paid', [OF_SUBSCRIPTION]: subscription })
    if (!invoice) throw invalid('Nothing has been paid for this subscription.')
    return chargeOf(paymentOf(invoice).payment.payment_intent)
  }

  function refund(charge: Charge, asked?: number) {
    const left = charge.amount - charge.amount_refunded
    const amount = asked ?? left
    if (left <= 0)
      throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
    if (amount > left)
      throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
        param: 'amount',
      })
    const made = store.put(newRefund(charge, amount, now()))
    const { amount_refunded, refunded } = charge
    const after = { ...charge, amount_refunded: amount_refunded + amount, refunded: amount === left }
    emit('charge.refunded', store.put(after), { amount_refunded, refunded })
    return made
  }

  function dispute(charge: Charge) {
    if (charge.disputed) throw invalid(`Charge ${charge.id} is disputed already.`)
    store.put({ ...charge, disputed: true })
    const made = store.put(newDispute(charge, now()))
    emit('charge.dispute.created', made)
    return made
  }

  function closeDispute(id: string, status: 'won' | 'lost') {
    const open = store.get('dispute', id)
    if (open.status !== 'needs_response') throw invalid('This dispute is already closed.')
    const closed = store.put({ ...open, status })
    emit('charge.dispute.closed', closed, { status: open.status })
    return closed
  }

  return { createInvoice, collect, chargeOf, latestCharge, refund, dispute, closeDispute }
}
