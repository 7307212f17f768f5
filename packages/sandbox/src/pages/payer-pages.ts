import express, { Router } from 'express'
import type { Stripe } from 'stripe'
import { StripeApiError } from '../stripe/errors.ts'
import type { StripeRoutes } from '../stripe/index.ts'
import { idOf } from '../stripe/store.ts'
import { itemOf } from '../stripe/subscription-object.ts'
import { day, money } from './formats.ts'
import { type Html, html } from './html.ts'
import type { SendPage } from './layout.ts'

const PRESSABLE = ['pay', 'decline', 'leave-unpaid', 'cancel'] as const
type Pressable = (typeof PRESSABLE)[number]

const originOf = (url: string | null) => (url && URL.canParse(url) ? [new URL(url).origin] : [])

const choice = (session: Stripe.Checkout.Session, action: string, label: string, kind = '') => html`
  <form method="post" action="/stripe/pay/${session.id}/${action}"><button class="${kind}">${label}</button></form>`

const frame = (content: Html) => html`<div class="payer"><div class="card rows">${content}</div>
  <p class="hint">This is a sandbox: no card is asked for and no money moves.</p></div>`

function closed(session: Stripe.Checkout.Session, next: string) {
  if (session.status === 'complete')
    return frame(html`<h1>This is done already</h1>
      <p>The payment is ${session.payment_status === 'paid' ? 'complete' : 'on its way'}.</p>
      <p><a class="button primary" href="${next}">Back to the shop</a></p>`)
  return frame(html`<h1>This payment page has expired</h1><p>Go back to the shop and start again.</p>
    ${session.cancel_url && html`<p><a class="button" href="${session.cancel_url}">Back to the shop</a></p>`}`)
}

function payment(
  session: Stripe.Checkout.Session,
  price: Stripe.Price,
  email: string | null,
  problem?: string,
) {
  const total = money(session.amount_total, session.currency)
  return frame(html`
    <div>
      <p class="hint">You subscribe to</p>
      <h1>${price.nickname ?? 'the plan'}</h1>
      <p class="price">${total} <span>a ${price.recurring?.interval ?? 'month'}</span></p>
    </div>
    <dl class="facts">
      <div><dt>E-mail</dt><dd>${email ?? 'not given'}</dd></div>
      <div><dt>Due today</dt><dd>${total}</dd></div>
    </dl>
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
    <div class="choices">
      ${choice(session, 'pay', `Pay ${total}`, 'primary')}
      ${choice(session, 'decline', 'Pay with a card that is declined')}
      ${choice(session, 'leave-unpaid', 'Pay by a way that takes days')}
      ${choice(session, 'cancel', 'Cancel and go back', 'quiet')}
    </div>`)
}

function invoicePage(invoice: Stripe.Invoice) {
  const period = invoice.lines.data[0]?.period
  return frame(html`
    <div><p class="hint">Invoice</p><h1>${invoice.number}</h1></div>
    <dl class="facts">
      <div><dt>Status</dt><dd>${invoice.status}</dd></div>
      <div><dt>For</dt><dd>${invoice.customer_email ?? ''}</dd></div>
      <div><dt>Period</dt><dd>${day(period?.start)} to ${day(period?.end)}</dd></div>
      <div><dt>Total</dt><dd>${money(invoice.total, invoice.currency)}</dd></div>
      <div><dt>Attempts</dt><dd>${invoice.attempt_count}</dd></div>
    </dl>`)
}

const CARD_NOTES: Record<string, Html> = {
  saved: html`<p class="notice" role="status">The new card is saved, and what was due has been paid.</p>`,
  declined: html`<p class="notice bad" role="alert">The card was declined. The old one stays.</p>`,
}

function portalPage(
  portal: Stripe.BillingPortal.Session,
  subscriptions: Stripe.Subscription[],
  card: unknown,
) {
  const press = (action: string, label: string, subscription?: string, kind = '') => html`
    <form method="post" action="/stripe/portal/${portal.id}/${action}">
      ${subscription && html`<input type="hidden" name="subscription" value="${subscription}">`}
      <button class="${kind}">${label}</button>
    </form>`
  const row = (subscription: Stripe.Subscription) => {
    const { id, status, cancel_at } = subscription
    const { price, current_period_end: end } = itemOf(subscription)
    const next =
      status === 'past_due'
        ? 'the last payment failed'
        : cancel_at
          ? `ends on ${day(cancel_at)}`
          : `renews on ${day(end)}`
    return html`
      <div><h2>${price.nickname}</h2>
        <p>${money(price.unit_amount, price.currency)} a ${price.recurring?.interval ?? 'month'}, ${next}</p></div>
      ${cancel_at ? press('keep', 'Do not cancel', id) : press('cancel', 'Cancel at the end of the period', id)}`
  }
  return frame(html`
    <h1>Your subscription</h1>
    ${typeof card === 'string' && Object.hasOwn(CARD_NOTES, card) && CARD_NOTES[card]}
    ${subscriptions.length ? subscriptions.map(row) : html`<p>There is none.</p>`}
    <div class="choices">
      <h2>Payment method</h2>
      ${press('card', 'Give a new card', undefined, 'primary')}
      ${press('declined-card', 'Give a card that is declined')}
    </div>
    ${portal.return_url && html`<p><a href="${portal.return_url}">Back to the shop</a></p>`}`)
}

/** The pages a payer sees: the payment page, an invoice, the billing portal. */
export function payerPages(routes: StripeRoutes, sendPage: SendPage) {
  const { store, checkout, actions, subscriptions } = routes
  const router = Router()
  router.use(express.urlencoded({ extended: false, limit: '20kb' }))

  function showPayment(response: express.Response, id: string, problem?: string) {
    const session = store.transaction(() => checkout.get(id))
    const customer = store.find<Stripe.Customer>('customer', idOf(session.customer) ?? '')
    const plan = checkout.planOf(session)
    sendPage(response.status(problem ? 402 : 200), {
      title: 'Payment',
      styles: ['payments.css'],
      formActions: [...originOf(session.success_url), ...originOf(session.cancel_url)],
      main:
        session.status === 'open'
          ? payment(
              session,
              store.get<Stripe.Price>('price', plan.price),
              customer?.email ?? session.customer_email,
              problem,
            )
          : closed(session, checkout.successUrl(session)),
    })
  }

  router.get('/stripe/pay/:id', (request, response) => showPayment(response, request.params.id))
  router.post('/stripe/pay/:id/:action', (request, response, next) => {
    const { id, action } = request.params
    const act = PRESSABLE.includes(action as Pressable) && actions.checkout[action as Pressable]
    if (!act) return next()
    try {
      const { url } = act(id)
      if (action === 'decline') showPayment(response, id, 'Your card was declined. Try another one.')
      else response.redirect(303, url ?? `/stripe/pay/${id}`)
    } catch (error) {
      // Paid in another tab, or expired meanwhile: the page says which.
      if (!(error instanceof StripeApiError) || error.status !== 400) throw error
      showPayment(response, id)
    }
  })
  router.get('/stripe/invoices/:id', (request, response) => {
    const invoice = store.get<Stripe.Invoice>('invoice', request.params.id)
    sendPage(response, { title: 'Invoice', styles: ['payments.css'], main: invoicePage(invoice) })
  })

  const portalOf = (id: string) => store.get<Stripe.BillingPortal.Session>('billing_portal.session', id)
  const theirs = (customer: string) =>
    store
      .list<Stripe.Subscription>('subscription', { '$.customer': customer, '$.status': { not: 'canceled' } })
      .data.filter(({ status }) => status !== 'incomplete_expired')
  router.get('/stripe/portal/:id', (request, response) => {
    const portal = portalOf(request.params.id)
    sendPage(response, {
      title: 'Your subscription',
      styles: ['payments.css'],
      main: portalPage(portal, theirs(portal.customer), request.query.card),
    })
  })
  router.post('/stripe/portal/:id/card', (request, response) => {
    const { id } = request.params
    const unpaid = theirs(portalOf(id).customer).filter(({ status }) => status === 'past_due')
    store.transaction(() => {
      for (const subscription of unpaid) subscriptions.advance(subscription.id, 'paid')
    })
    response.redirect(303, `/stripe/portal/${id}?card=saved`)
  })
  router.post('/stripe/portal/:id/declined-card', (request, response) => {
    response.redirect(303, `/stripe/portal/${portalOf(request.params.id).id}?card=declined`)
  })
  router.post('/stripe/portal/:id/:action', (request, response, next) => {
    const { id, action } = request.params
    const own = theirs(portalOf(id).customer).find(
      subscription => subscription.id === request.body.subscription,
    )
    if (!own || (action !== 'cancel' && action !== 'keep')) return next()
    // With flexible billing the portal sets cancel_at and leaves cancel_at_period_end alone.
    const cancelAt = action === 'cancel' ? itemOf(own).current_period_end : null
    store.transaction(() => subscriptions.update(own.id, { cancelAt }))
    response.redirect(303, `/stripe/portal/${id}`)
  })
  return router
}
