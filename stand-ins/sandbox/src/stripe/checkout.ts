import { invalid } from './errors.ts'
import { newSession, type Outcome, type Session, unixNow } from './objects.ts'
import type { Given, PageUrl } from './parameters.ts'
import type { StripeStore } from './store.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Returns the address that follows the payment page. */
export const successUrl = ({ id, success_url }: Session) =>
  success_url.replaceAll('{CHECKOUT_SESSION_ID}', id)

export type Checkout = ReturnType<typeof createCheckout>

/** A payer's actions on the payment page. Each returns the browser's next address. */
export function createCheckout(store: StripeStore, subscriptions: Subscriptions, pageUrl: PageUrl) {
  const close = (session: Session) =>
    store.emit('checkout.session.expired', { ...session, status: 'expired' as const, url: null })

  /** Returns the session, marked as expired if its time is over. */
  function get(id: string): Session {
    const session = store.get('checkout.session', id)
    return session.status === 'open' && session.expires_at <= unixNow() ? close(session) : session
  }

  function open(id: string): Session {
    const session = get(id)
    if (session.status !== 'open')
      throw invalid(
        `This Checkout Session is ${session.status}; only one that is open can be paid or expired.`,
      )
    return session
  }

  function complete(id: string, payment_status: Session['payment_status']) {
    const session = open(id)
    const begun = subscriptions.begin(session)
    if (payment_status === 'paid') subscriptions.settleFirst(begun, 'paid')
    else store.put({ ...store.get('invoice', begun.latest_invoice), attempt_count: 1 })
    const done = store.emit('checkout.session.completed', {
      ...session,
      status: 'complete' as const,
      payment_status,
      subscription: begun.id,
      invoice: begun.latest_invoice,
      url: null,
    })
    return { session: done, url: successUrl(done) }
  }

  return {
    get,
    create(given: Given<'checkout'>): Session {
      const price = store.get('price', given.line_items[0].price, 'line_items[0][price]')
      store.get('customer', given.customer, 'customer')
      return store.put(newSession(given, price, pageUrl))
    },
    pay: (id: string) => complete(id, 'paid'),
    /** A payment that takes days: the session is complete but unpaid. */
    leaveUnpaid: (id: string) => complete(id, 'unpaid'),
    /** A declined card: the session stays open for another card. */
    decline: (id: string) => ({ session: open(id), url: open(id).url }),
    /** The payer goes back; the session stays open, like at Stripe. */
    cancel: (id: string) => ({ session: open(id), url: open(id).cancel_url }),
    /** The outcome of a payment that was left unpaid. */
    settle(id: string, outcome: Outcome) {
      const session = get(id)
      if (!session.subscription || session.payment_status !== 'unpaid')
        throw invalid('Only a completed session that is unpaid can be settled.')
      subscriptions.settleFirst(store.get('subscription', session.subscription), outcome)
      const settled =
        outcome === 'paid'
          ? store.emit('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' })
          : store.emit('checkout.session.async_payment_failed', session)
      return { session: settled, url: successUrl(settled) }
    },
    expire: (id: string) => ({ session: close(open(id)), url: null }),
  }
}
