import type { Stripe } from 'stripe'
import { newCustomer } from './catalogue.ts'
import { invalid } from './errors.ts'
import type { Payments, StripeDeps } from './payments.ts'
import { type CheckoutPlan, newSession, planIdOf } from './session-object.ts'
import { idOf } from './store.ts'
import type { Subscriptions } from './subscriptions.ts'

type Session = Stripe.Checkout.Session

export type Checkout = ReturnType<typeof createCheckout>

/** What a payer can do at the payment page. Each answers where the browser goes next. */
export function createCheckout(deps: StripeDeps & { payments: Payments; subscriptions: Subscriptions }) {
  const { store, emit, now, payments, subscriptions } = deps

  const planOfSession = (session: Session) =>
    store.get<CheckoutPlan>('sandbox.checkout_plan', planIdOf(session.id))
  const successUrl = (session: Session) =>
    (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id)

  function create(given: {
    price: string
    quantity: number
    successUrl: string
    cancelUrl?: string
    customer?: string
    customerEmail?: string
    clientReferenceId?: string
    metadata?: Stripe.Metadata
    subscriptionMetadata?: Stripe.Metadata
    expiresAt?: number
  }): Session {
    const price = store.get<Stripe.Price>('price', given.price, 'line_items[0][price]')
    if (!price.active) throw invalid('The price specified is inactive.', { param: 'line_items[0][price]' })
    if (!price.recurring)
      throw invalid('You must provide at least one recurring price in `subscription` mode.', {
        param: 'mode',
      })
    if (given.customer) store.get<Stripe.Customer>('customer', given.customer, 'customer')
    const session = store.put(
      newSession({ ...given, price, pageUrl: id => deps.pageUrl(`/stripe/pay/${id}`) }, now()),
    )
    store.put<CheckoutPlan>({
      id: planIdOf(session.id),
      object: 'sandbox.checkout_plan',
      price: price.id,
      quantity: given.quantity,
      subscriptionMetadata: given.subscriptionMetadata ?? {},
    })
    return session
  }

  /** The session; one whose time is over has expired. */
  function get(id: string): Session {
    const session = store.get<Session>('checkout.session', id)
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
      throw invalid(`This Checkout Session is ${session.status}; only one that is open can be paid.`)
    return session
  }

  function customerOf(session: Session): Stripe.Customer {
    const known = idOf(session.customer)
    if (known) return store.get<Stripe.Customer>('customer', known)
    const made = store.put(newCustomer({ email: session.customer_email ?? 'payer@example.com' }, now()))
    emit('customer.created', made)
    return made
  }

  function complete(id: string, paid: boolean) {
    const session = open(id)
    const customer = customerOf(session)
    const plan = planOfSession(session)
    const price = store.get<Stripe.Price>('price', plan.price)
    const begun = subscriptions.begin({
      customer: customer.id,
      price,
      quantity: plan.quantity,
      metadata: plan.subscriptionMetadata,
    })
    if (paid) subscriptions.settleFirst(begun, 'paid')
    else payments.collect(store.get<Stripe.Invoice>('invoice', String(begun.latest_invoice)), 'processing')
    const done = store.put<Session>({
      ...session,
      status: 'complete',
      payment_status: paid ? 'paid' : 'unpaid',
      customer: customer.id,
      customer_details: {
        address: null,
        business_name: null,
        email: customer.email,
        individual_name: null,
        name: customer.name ?? null,
        phone: null,
        tax_exempt: 'none',
        tax_ids: [],
      },
      subscription: begun.id,
      invoice: idOf(begun.latest_invoice),
      url: null,
    })
    emit('checkout.session.completed', done)
    return { session: done, url: successUrl(done) }
  }

  return {
    create,
    get,
    planOf: planOfSession,
    successUrl,
    pay: (id: string) => complete(id, true),
    /** A payment that takes days: the session is complete, nothing is paid yet. */
    leaveUnpaid: (id: string) => complete(id, false),
    decline(id: string) {
      const session = open(id)
      payments.declineAlone(session.amount_total ?? 0, session.currency ?? 'usd', idOf(session.customer))
      return { session, url: session.url }
    },
    /** The payer goes back; the session stays open, as Stripe leaves it. */
    cancel(id: string) {
      const session = open(id)
      return { session, url: session.cancel_url }
    },
    /** What becomes of a payment that was left unpaid. */
    settle(id: string, outcome: 'paid' | 'declined') {
      const session = get(id)
      if (session.status !== 'complete' || session.payment_status !== 'unpaid')
        throw invalid('Only a completed session that is unpaid can be settled.')
      subscriptions.settleFirst(
        store.get<Stripe.Subscription>('subscription', String(idOf(session.subscription))),
        outcome,
      )
      const settled =
        outcome === 'paid' ? store.put<Session>({ ...session, payment_status: 'paid' }) : session
      emit(
        outcome === 'paid'
          ? 'checkout.session.async_payment_succeeded'
          : 'checkout.session.async_payment_failed',
        settled,
      )
      return { session: settled, url: successUrl(settled) }
    },
    expire(id: string) {
      const session = get(id)
      if (session.status !== 'open')
        throw invalid(
          `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
        )
      return { session: close(session), url: null }
    },
    /** Sessions whose time is over expire without being asked for. */
    expireOld() {
      const { data } = store.list<Session>('checkout.session', { '$.status': 'open' }, { limit: 10_000 })
      for (const { id } of data) get(id)
    },
  }
}
