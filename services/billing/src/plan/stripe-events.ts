import type { Stripe } from 'stripe'
import { hintOfInvoice, hintOfSubscription, idOf, type SubscriptionHint } from '../stripe/facts.ts'
import type { RecordedPayment } from './payments.ts'
import { currentSubscription } from './subscription.ts'
import type { Selling, Synchronised } from './synchronise.ts'

const PAID: Stripe.Event['type'][] = ['invoice.paid', 'invoice.payment_succeeded']

/** Returns the function that applies an event of Stripe. It ignores events about other objects. */
export function createApplyEvent({ accounts, stripe, payments, synchronise, purchaseEnded, log }: Selling) {
  return async (event: Stripe.Event): Promise<void> => {
    log.info({ eventId: event.id, type: event.type }, 'processing a Stripe event')
    const { object } = event.data
    switch (object.object) {
      case 'checkout.session': {
        const session = await stripe.session(object.id)
        if (session?.userId && session.status !== 'open') await purchaseEnded(session.userId, session)
        return
      }
      case 'subscription':
        await follow(hintOfSubscription(object))
        return
      case 'invoice': {
        const hint = hintOfInvoice(object)
        await (hint ? follow(hint) : billed(object, event))
        return
      }
      case 'charge':
        return refunded(object)
      case 'dispute':
        return disputed(object)
    }
  }

  /** Synchronizes the event's user; null if the event isn't about one of ours. */
  async function follow(hint: SubscriptionHint | null): Promise<Synchronised | null> {
    const byCustomer = hint?.customerId ? await accounts.byCustomer(hint.customerId) : null
    const owner = hint?.userId ?? byCustomer?.userId
    return hint && owner ? synchronise(owner, hint.subscriptionId) : null
  }

  /** Handles an invoice that names no subscription. Throws if a payment can't be assigned yet: Stripe retries. */
  async function billed({ id, customer }: Stripe.Invoice, { type }: Stripe.Event): Promise<void> {
    const customerId = idOf(customer)
    if (!customerId || !(await accounts.byCustomer(customerId))) return
    const hint = await stripe.subscriptionBilledBy(customerId, id)
    if (hint === undefined && PAID.includes(type))
      throw new Error('A customer has paid an invoice that Stripe does not list')
    await follow(hint ?? null)
  }

  /** Uses the event itself, however old it is, because the refunded amount never decreases. */
  async function refunded({ payment_intent, customer, amount_refunded }: Stripe.Charge): Promise<void> {
    if (!amount_refunded) return
    const payer = async () => idOf(customer)
    await onPayment(idOf(payment_intent), payer, id => payments.refunded(id, amount_refunded))
  }

  async function disputed(dispute: Stripe.Dispute): Promise<void> {
    const { payment_intent, charge, status } = (await stripe.dispute(dispute.id)) ?? dispute
    const chargeId = idOf(charge)
    const payer = async () => chargeId && idOf((await stripe.charge(chargeId))?.customer)
    await onPayment(idOf(payment_intent), payer, id => payments.disputed(id, status))
  }

  /** Records a refund or dispute of a payment whose invoice may not be known yet. */
  async function onPayment(
    paymentIntent: string | null,
    payer: () => Promise<string | null>,
    record: (paymentIntent: string) => Promise<RecordedPayment | null>,
  ): Promise<void> {
    if (!paymentIntent) return
    let payment = await record(paymentIntent)
    if (!payment) {
      const customerId = await payer()
      if (!customerId || !(await follow(await stripe.subscriptionPaidBy(customerId, paymentIntent)))) return
      payment = await record(paymentIntent)
    }
    if (payment?.isReversed) await endPaidPeriod(payment)
  }

  /** Ends the plan now if the payment for its current period was taken back. Earlier periods change nothing. */
  async function endPaidPeriod({ userId, subscriptionId, periodEnd }: RecordedPayment): Promise<void> {
    const { account } = await synchronise(userId, subscriptionId)
    const current = currentSubscription(account)
    if (current?.id !== subscriptionId || (periodEnd && periodEnd < current.grantedUntil)) return
    await stripe.cancelNow(subscriptionId)
    await synchronise(userId, subscriptionId)
  }
}
