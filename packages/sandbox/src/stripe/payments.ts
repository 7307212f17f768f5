import type { Stripe } from 'stripe'
import { invalid } from './errors.ts'
import type { Emit } from './events.ts'
import { newInvoice, newInvoicePayment, OF_SUBSCRIPTION } from './invoice-object.ts'
import { DECLINE, newCharge, newDispute, newPaymentIntent, newRefund } from './payment-objects.ts'
import { idOf, type StripeStore } from './store.ts'

export type Outcome = 'paid' | 'declined' | 'processing'

export interface StripeDeps {
  store: StripeStore
  emit: Emit
  /** Unix seconds. */
  now: () => number
  /** A page of the sandbox, as a browser reaches it. */
  pageUrl: (path: string) => string
}

// Stripe's smart retries end after a few weeks; the stand-in gives up at the fourth declined attempt.
export const PAYMENT_ATTEMPTS = 4
const RETRY_AFTER_SECONDS = 3 * 24 * 3600

export type Payments = ReturnType<typeof createPayments>

/** Invoices and the money for them: intents, charges, refunds, disputes. */
export function createPayments({ store, emit, now, pageUrl }: StripeDeps) {
  function createInvoice(subscription: Stripe.Subscription, reason: Stripe.Invoice.BillingReason) {
    const customer = store.get<Stripe.Customer>('customer', String(idOf(subscription.customer)))
    const invoice = store.put(
      newInvoice({ subscription, customer, reason, pageUrl: id => pageUrl(`/stripe/invoices/${id}`) }, now()),
    )
    store.put({
      ...customer,
      next_invoice_sequence: (customer.next_invoice_sequence ?? 1) + 1,
      currency: invoice.currency,
    })
    const { status_transitions } = invoice
    emit('invoice.created', {
      ...invoice,
      status: 'draft',
      number: null,
      status_transitions: { ...status_transitions, finalized_at: null },
    } as Stripe.Invoice)
    emit('invoice.finalized', invoice)
    return invoice
  }

  /** The intent that pays an invoice; made at the first attempt. */
  function intentOf(invoice: Stripe.Invoice) {
    const payment = store.list<Stripe.InvoicePayment>('invoice_payment', { '$.invoice': invoice.id }).data[0]
    if (payment) {
      const intent = store.get<Stripe.PaymentIntent>(
        'payment_intent',
        String(idOf(payment.payment.payment_intent)),
      )
      return { payment, intent }
    }
    const { amount_due: amount, currency, customer } = invoice
    const intent = store.put(newPaymentIntent({ amount, currency, customer: idOf(customer) }, now()))
    emit('payment_intent.created', intent)
    return { intent, payment: store.put(newInvoicePayment(invoice, intent.id, now())) }
  }

  function chargeFor(intent: Stripe.PaymentIntent, declined: boolean, invoice?: Stripe.Invoice) {
    const charge = store.put(
      newCharge(
        intent,
        { declined, email: invoice?.customer_email ?? null, name: invoice?.customer_name ?? null },
        now(),
      ),
    )
    emit(declined ? 'charge.failed' : 'charge.succeeded', charge)
    const settled = store.put<Stripe.PaymentIntent>({
      ...intent,
      latest_charge: charge.id,
      status: declined ? 'requires_payment_method' : 'succeeded',
      amount_received: declined ? 0 : intent.amount,
      last_payment_error: declined ? { ...DECLINE, charge: charge.id } : null,
    })
    emit(declined ? 'payment_intent.payment_failed' : 'payment_intent.succeeded', settled)
    return charge
  }

  /** One attempt to collect an open invoice. `again`: whether Stripe would try once more after a decline. */
  function collect(invoice: Stripe.Invoice, outcome: Outcome, again = true): Stripe.Invoice {
    const { intent, payment } = intentOf(invoice)
    if (outcome === 'processing') {
      emit('payment_intent.processing', store.put<Stripe.PaymentIntent>({ ...intent, status: 'processing' }))
      return store.put<Stripe.Invoice>({ ...invoice, attempted: true, attempt_count: 1 })
    }
    const declined = outcome === 'declined'
    chargeFor(intent, declined, invoice)
    const attempted = {
      ...invoice,
      attempted: true,
      attempt_count:
        payment.status === 'open' && intent.status === 'processing' ? 1 : invoice.attempt_count + 1,
    }
    if (declined) {
      const failed = store.put<Stripe.Invoice>({
        ...attempted,
        next_payment_attempt: again ? now() + RETRY_AFTER_SECONDS : null,
      })
      emit('invoice.payment_failed', failed)
      return failed
    }
    const paid = store.put<Stripe.Invoice>({
      ...attempted,
      status: 'paid',
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      auto_advance: false,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, paid_at: now() },
    })
    const paidPayment = store.put<Stripe.InvoicePayment>({
      ...payment,
      status: 'paid',
      amount_paid: invoice.amount_due,
      status_transitions: { canceled_at: null, paid_at: now() },
    })
    emit('invoice.paid', paid)
    emit('invoice.payment_succeeded', paid)
    emit('invoice_payment.paid', paidPayment)
    return paid
  }

  /** A declined card at checkout, before there is a subscription. */
  function declineAlone(amount: number, currency: string, customer: string | null) {
    const intent = store.put(newPaymentIntent({ amount, currency, customer }, now()))
    emit('payment_intent.created', intent)
    chargeFor(intent, true)
  }

  function chargeOf(given: { charge?: string; paymentIntent?: string }): Stripe.Charge {
    if (given.charge) return store.get<Stripe.Charge>('charge', given.charge, 'charge')
    if (!given.paymentIntent)
      throw invalid('One of the following params should be provided: payment_intent or charge.')
    const intent = store.get<Stripe.PaymentIntent>('payment_intent', given.paymentIntent, 'payment_intent')
    const charge = idOf(intent.latest_charge)
    if (!charge || intent.status !== 'succeeded')
      throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
        param: 'payment_intent',
      })
    return store.get<Stripe.Charge>('charge', charge)
  }

  function refund(given: {
    charge?: string
    paymentIntent?: string
    amount?: number
    reason?: Stripe.Refund.Reason
    metadata?: Stripe.Metadata
  }): Stripe.Refund {
    const charge = chargeOf(given)
    const left = charge.amount - charge.amount_refunded
    if (left <= 0)
      throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
    const amount = given.amount ?? left
    if (amount > left)
      throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
        param: 'amount',
      })
    const made = store.put(newRefund(charge, { ...given, amount }, now()))
    const refunded = store.put<Stripe.Charge>({
      ...charge,
      amount_refunded: charge.amount_refunded + amount,
      refunded: amount === left,
    })
    emit('refund.created', made)
    emit('charge.refunded', refunded, { amount_refunded: charge.amount_refunded, refunded: charge.refunded })
    return made
  }

  function dispute(given: { charge?: string; paymentIntent?: string }) {
    const charge = chargeOf(given)
    if (charge.disputed) throw invalid(`Charge ${charge.id} is disputed already.`)
    const made = store.put(newDispute(charge, now()))
    emit('charge.updated', store.put<Stripe.Charge>({ ...charge, disputed: true }), { disputed: false })
    emit('charge.dispute.created', made)
    return made
  }

  function closeDispute(id: string, status: 'won' | 'lost') {
    const open = store.get<Stripe.Dispute>('dispute', id)
    if (open.status === 'won' || open.status === 'lost') throw invalid('This dispute is already closed.')
    const closed = store.put<Stripe.Dispute>({ ...open, status })
    emit('charge.dispute.closed', closed, { status: open.status })
    return closed
  }

  /** The charge that paid the subscription's latest paid invoice. */
  function latestChargeOf(subscription: string): Stripe.Charge {
    const { data } = store.list<Stripe.Invoice>('invoice', {
      '$.status': 'paid',
      [OF_SUBSCRIPTION]: subscription,
    })
    const invoice = data[0]
    if (!invoice) throw invalid('Nothing has been paid for this subscription.')
    return chargeOf({ paymentIntent: intentOf(invoice).intent.id })
  }

  return { createInvoice, collect, declineAlone, refund, dispute, closeDispute, latestChargeOf }
}
