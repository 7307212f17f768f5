import type { Logger } from '@voxscribe/service'
import type { Stripe } from 'stripe'
import type { StripeCalls } from '../stripe/calls.ts'
import { hintOfInvoice, hintOfSubscription, idOf } from '../stripe/facts.ts'
import type { Payments } from './payments.ts'
import type { Purchases } from './purchases.ts'

interface Deps {
  stripe: StripeCalls
  purchases: Purchases
  payments: Payments
  log: Logger
}

/** What each event of Stripe makes us look at. Types that are not named here change nothing. */
export function createEventProcess({ stripe, purchases, payments, log }: Deps) {
  async function sessionChanged(id: string) {
    const session = await stripe.session(id)
    if (session?.userId && session.status !== 'open') await purchases.sessionEnded(session.userId, session)
  }

  /** Records something about a payment, whose invoice may not have been heard of yet. */
  async function onPayment(
    paymentIntent: string | null,
    payer: () => Promise<string | null>,
    record: (id: string) => Promise<boolean>,
  ) {
    if (!paymentIntent || (await record(paymentIntent))) return
    const customerId = await payer()
    const hint = customerId && (await stripe.subscriptionPaidBy(customerId, paymentIntent))
    if (hint && (await purchases.heardOf(hint))) await record(paymentIntent)
  }

  /** What has been given back only grows, so the event itself will do, however old it is. */
  const refunded = ({ payment_intent, customer, amount_refunded }: Stripe.Charge) =>
    onPayment(
      idOf(payment_intent),
      async () => idOf(customer),
      id => payments.refunded(id, amount_refunded),
    )

  async function disputed(told: Stripe.Dispute) {
    const { payment_intent, charge, status } = (await stripe.dispute(told.id)) ?? told
    const chargeId = idOf(charge)
    await onPayment(
      idOf(payment_intent),
      async () => chargeId && idOf((await stripe.charge(chargeId))?.customer),
      id => payments.disputed(id, status),
    )
  }

  return async (event: Stripe.Event): Promise<void> => {
    log.info({ eventId: event.id, type: event.type }, 'taking in an event of Stripe')
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.expired':
      case 'checkout.session.async_payment_succeeded':
      case 'checkout.session.async_payment_failed':
        return sessionChanged(event.data.object.id)
      case 'customer.subscription.created':
      case 'customer.subscription.updated':
      case 'customer.subscription.deleted':
      case 'customer.subscription.paused':
      case 'customer.subscription.resumed':
        await purchases.heardOf(hintOfSubscription(event.data.object))
        return
      case 'invoice.paid':
      case 'invoice.payment_succeeded':
      case 'invoice.payment_failed':
      case 'invoice.voided':
      case 'invoice.marked_uncollectible': {
        const hint = hintOfInvoice(event.data.object)
        if (hint) await purchases.heardOf(hint)
        return
      }
      case 'charge.refunded':
        return refunded(event.data.object)
      case 'charge.dispute.created':
      case 'charge.dispute.updated':
      case 'charge.dispute.closed':
        return disputed(event.data.object)
    }
  }
}
