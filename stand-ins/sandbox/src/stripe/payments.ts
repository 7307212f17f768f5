import { invalid, missing } from './errors.ts'
import {
  type Charge,
  type Invoice,
  newCharge,
  newDispute,
  newRefund,
  OF_SUBSCRIPTION,
  type Outcome,
  unixNow,
} from './objects.ts'
import type { StripeStore } from './store.ts'

export type Payments = ReturnType<typeof createPayments>

/** Payments of invoices: charges, refunds, disputes. */
export function createPayments({ emit, get, list, put }: StripeStore) {
  function chargeOf(paymentIntent: string): Charge {
    const [charge] = list('charge', { '$.payment_intent': paymentIntent })
    if (!charge) throw missing('payment_intent', paymentIntent, 'payment_intent')
    return charge
  }

  return {
    chargeOf,

    collect(invoice: Invoice, outcome: Outcome): void {
      // A first payment that takes days is one attempt with a late outcome.
      const first = invoice.billing_reason === 'subscription_create'
      const attempted = { ...invoice, attempt_count: first ? 1 : invoice.attempt_count + 1 }
      if (outcome === 'declined') {
        emit('invoice.payment_failed', attempted)
        return
      }
      const status_transitions = { paid_at: unixNow() }
      const paid = {
        ...attempted,
        status: 'paid' as const,
        amount_paid: invoice.amount_due,
        status_transitions,
      }
      put(newCharge(paid))
      emit('invoice.paid', paid)
      emit('invoice.payment_succeeded', paid)
    },

    latestCharge(subscription: string): Charge {
      const [invoice] = list('invoice', { '$.status': 'paid', [OF_SUBSCRIPTION]: subscription })
      if (!invoice) throw invalid('Nothing has been paid for this subscription.')
      return chargeOf(invoice.sandbox_intent)
    },

    refund(charge: Charge, wanted?: number) {
      const { amount_refunded, refunded } = charge
      const left = charge.amount - amount_refunded
      const amount = wanted ?? left
      if (left <= 0)
        throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
      if (amount > left)
        throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
          param: 'amount',
        })
      const after = { ...charge, amount_refunded: amount_refunded + amount, refunded: amount === left }
      emit('charge.refunded', after, { amount_refunded, refunded })
      return put(newRefund(charge, amount))
    },

    dispute(charge: Charge) {
      if (charge.disputed) throw invalid(`Charge ${charge.id} is disputed already.`)
      put({ ...charge, disputed: true })
      return emit('charge.dispute.created', newDispute(charge))
    },

    closeDispute(id: string, status: 'won' | 'lost') {
      const open = get('dispute', id)
      if (open.status !== 'needs_response') throw invalid('This dispute is already closed.')
      return emit('charge.dispute.closed', { ...open, status }, { status: open.status })
    },
  }
}
