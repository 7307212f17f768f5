import { type Response, Router } from 'express'
import { ApiError } from '../input.ts'
import type { StripeRoutes } from '../stripe/index.ts'
import { itemOf, type Subscription } from '../stripe/objects.ts'
import { PAYMENT_ATTEMPTS } from '../stripe/subscriptions.ts'
import { badge, button, day, type Html, html, money } from './html.ts'
import type { SendPage } from './layout.ts'

function buttonsFor({ id, status, cancel_at }: Subscription, attempts: number): Html[] {
  const at = (action: string) => `/stripe/subscriptions/${id}/${action}`
  const advance = (label: string, outcome: string, kind?: string) =>
    button(at('advance'), label, { outcome }, kind)
  const cancel = button(at('cancel'), 'Cancel now', {}, 'outline bad')
  const moneyBack = button(at('refund'), 'Refund all')
  if (status === 'active' && cancel_at)
    return [advance('Let the period pass: it ends', 'paid', 'primary'), moneyBack, cancel]
  if (status === 'active')
    return [
      advance('Let the period pass: it renews', 'paid', 'primary'),
      advance('Let the period pass: payment fails', 'declined'),
      moneyBack,
      cancel,
    ]
  if (status === 'past_due')
    return [
      advance('Next try succeeds', 'paid', 'primary'),
      advance(`Next try fails ${attempts + 1}/${PAYMENT_ATTEMPTS}`, 'declined'),
      cancel,
    ]
  return status === 'canceled' ? [moneyBack] : []
}

/** A subscription with its next possible actions. */
function subscriptionCard({ store }: StripeRoutes, subscription: Subscription) {
  const customer = store.find('customer', subscription.customer)
  const invoice = store.find('invoice', subscription.latest_invoice)
  const { id } = subscription
  const { price, current_period_start: start, current_period_end: end } = itemOf(subscription)
  return html`
    <li><article class="card rows">
      <div class="line">
        <h3 class="grow">${customer?.email ?? customer?.name ?? id}</h3>
        ${badge(subscription.status)}
      </div>
      <p class="hint">${id} · ${price.nickname} · ${money(price.unit_amount, price.currency)} a ${price.recurring.interval}</p>
      <dl class="line">
        <div><dt>Period</dt><dd>${day(start)} – ${day(end)}</dd></div>
        ${subscription.cancel_at && html`<div><dt>Ends</dt><dd>${day(subscription.cancel_at)}</dd></div>`}
        ${invoice && html`<div><dt>Latest invoice</dt><dd>${badge(invoice.status)}</dd></div>`}
      </dl>
      <div class="line">${buttonsFor(subscription, invoice?.attempt_count ?? 0)}</div>
    </article></li>`
}

function overview(routes: StripeRoutes, problem?: string) {
  const cards = routes.store.list('subscription').map(each => subscriptionCard(routes, each))
  return html`
    <div class="page">
      <div>
        <h1>Payments</h1>
        <p class="hint">Stands in for Stripe. No card is asked for and no money moves.</p>
      </div>
      ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
      <section aria-labelledby="subscriptions" class="rows">
        <h2 id="subscriptions">Subscriptions</h2>
        <ul class="rows" data-live="subscriptions">
          ${cards.length ? cards : html`<li class="empty">Nobody has bought anything yet. Start the purchase in the app; it leads to a payment page here.</li>`}
        </ul>
      </section>
    </div>`
}

/** The page of payments. Its buttons are forms, so it works without scripts. */
export function paymentsPages(routes: StripeRoutes, sendPage: SendPage) {
  const router = Router()
  const show = (response: Response, problem?: string) =>
    sendPage(response.status(problem ? 400 : 200), {
      title: 'Payments',
      section: 'payments',
      main: overview(routes, problem),
    })
  router.get('/stripe', (_request, response) => show(response))
  router.post('/stripe/:group/:id/:action', ({ params: { group, id, action }, body }, response) => {
    try {
      routes.act(group, id, action, body)
      response.redirect(303, '/stripe')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      show(response, error.message)
    }
  })
  return router
}
