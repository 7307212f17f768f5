import { invalid } from './errors.ts'
import { newSession, type Outcome, type Session } from './objects.ts'
import type { Given } from './parameters.ts'
import type { Payments, StripeDeps } from './payments.ts'
import type { Subscriptions } from './subscriptions.ts'

export type Checkout = ReturnType<typeof createCheckout>

/** Actions of a payer at the payment page. Each returns where the browser goes next. */
export function createCheckout(deps: StripeDeps & { payments: Payments; subscriptions: Subscriptions }) {
  const { store, emit, now, subscriptions } = deps
  const successUrl = (session: Session) => session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)

  function create(given: Given<'checkout'>): Session {
    const price = store.get('price', given.line_items[0].price, 'line_items[0][price]')
    store.get('customer', given.customer, 'customer')
    return store.put(newSession(given, price, now(), deps.pageUrl))
  }

  /** Returns the session, marked as expired when its time is over. */
  function get(id: string): Session {
    const session = store.get('checkout.session', id)
    return session.status === 'open' && session.expires_at <= now() ? close(session) : session
  }

  function close(session: Session) {
    const expired = store.put<Session>({ ...session, status: 'expired', url: null })
    emit('checkout.session.expired', expired)
    return expired
  }

  function open(id: string): Session {
    const session = get(id)
    if (session.status !== 'open')
      throw invalid(
        `This Checkout Session is ${session.status}; only one that is open can be paid or expired.`,
      )
    return session
  }

  function complete(id: string, paid: boolean) {
    const session = open(id)
    const begun = subscriptions.begin(session)
    if (paid) subscriptions.settleFirst(begun, 'paid')
    else store.put({ ...store.get('invoice', begun.latest_invoice), attempt_count: 1 })
    const done = store.put<Session>({
      ...session,
      status: 'complete',
      payment_status: paid ? 'paid' : 'unpaid',
      subscription: begun.id,
      invoice: begun.latest_invoice,
      url: null,
    })
    emit('checkout.session.completed', done)
    return { session: done, url: successUrl(done) }
  }

  return {
    create,
    get,
    successUrl,
    pay: (id: string) => complete(id, true),
    /** A payment that takes days: the session is complete, nothing is paid yet. */
    leaveUnpaid: (id: string) => complete(id, false),
    /** A declined card: the session stays open for another card. */
    decline: (id: string) => ({ session: open(id), url: open(id).url }),
    /** The payer goes back; the session stays open, as Stripe leaves it. */
    cancel: (id: string) => ({ session: open(id), url: open(id).cancel_url }),
    /** The outcome of a payment that was left unpaid. */
    settle(id: string, outcome: Outcome) {
      const session = get(id)
      if (!session.subscription || session.payment_status !== 'unpaid')
        throw invalid('Only a completed session that is unpaid can be settled.')
      subscriptions.settleFirst(store.get('subscription', session.subscription), outcome)
      const arrived = outcome === 'paid'
      const settled = store.put<Session>({ ...session, payment_status: arrived ? 'paid' : 'unpaid' })
      emit(`checkout.session.async_payment_${arrived ? 'succeeded' : 'failed'}`, settled)
      return { session: settled, url: successUrl(settled) }
    },
    expire: (id: string) => ({ session: close(open(id)), url: null }),
  }
}
