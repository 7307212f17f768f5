import type { Stripe } from 'stripe'
import type { StripeRoutes } from '../stripe/index.ts'
import { PAYMENT_ATTEMPTS } from '../stripe/payments.ts'
import { idOf } from '../stripe/store.ts'
import { itemOf } from '../stripe/subscription-object.ts'
import { day, money } from './formats.ts'
import { type Html, html } from './html.ts'

const BADGES: Partial<Record<string, string>> = {
  active: 'good',
  paid: 'good',
  complete: 'good',
  delivered: 'good',
  past_due: 'bad',
  canceled: 'bad',
  unpaid: 'bad',
  failed: 'bad',
}
export const badge = (status: string | null) =>
  html`<span class="badge ${BADGES[status ?? ''] ?? ''}">${(status ?? '').replaceAll('_', ' ')}</span>`

/** One button that posts. */
export const button = (action: string, label: string, fields: Record<string, string> = {}, kind = '') => html`
  <form method="post" action="${action}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    <button class="${kind}">${label}</button>
  </form>`

function buttonsFor(subscription: Stripe.Subscription, attempts: number): Html[] {
  const { id, status } = subscription
  const at = (action: string) => `/stripe/subscriptions/${id}/${action}`
  const moneyBack = [
    button(at('refund'), 'Refund all'),
    html`<form method="post" action="${at('refund')}" class="part">
      <input name="amount" type="number" min="1" required aria-label="Cents" placeholder="Cents">
      <button>Refund a part</button></form>`,
    button(at('dispute'), 'Dispute'),
  ]
  if (status === 'active' && (subscription.cancel_at_period_end || subscription.cancel_at))
    return [
      button(at('advance'), 'Let the period pass: it ends', {}, 'primary'),
      ...moneyBack,
      button(at('cancel'), 'Cancel now', {}, 'danger'),
    ]
  if (status === 'active')
    return [
      button(at('advance'), 'Let the period pass: it renews', { outcome: 'paid' }, 'primary'),
      button(at('advance'), 'Let the period pass: payment fails', { outcome: 'declined' }),
      ...moneyBack,
      button(at('cancel'), 'Cancel now', {}, 'danger'),
    ]
  if (status === 'past_due')
    return [
      button(at('advance'), 'Next try succeeds', { outcome: 'paid' }, 'primary'),
      button(at('advance'), `Next try fails (${attempts} of ${PAYMENT_ATTEMPTS} have)`, {
        outcome: 'declined',
      }),
      button(at('cancel'), 'Cancel now', {}, 'danger'),
    ]
  return status === 'canceled' ? moneyBack : []
}

export function subscriptionCard({ store }: StripeRoutes, subscription: Stripe.Subscription) {
  const customer = store.find<Stripe.Customer>('customer', String(idOf(subscription.customer)))
  const invoice = store.find<Stripe.Invoice>('invoice', String(idOf(subscription.latest_invoice)))
  const { price, current_period_start: start, current_period_end: end } = itemOf(subscription)
  return html`
    <li class="card subscription">
      <div class="page-head">
        <h3>${customer?.email ?? customer?.name ?? 'Unknown customer'}</h3>
        ${badge(subscription.status)}
      </div>
      <p class="hint">${subscription.id} · ${price.nickname} · ${money(price.unit_amount, price.currency)} a ${price.recurring?.interval ?? 'month'}</p>
      <dl class="facts">
        <div><dt>Period</dt><dd>${day(start)} to ${day(end)}</dd></div>
        ${subscription.cancel_at && html`<div><dt>Ends</dt><dd>${day(subscription.cancel_at)}</dd></div>`}
        ${invoice && html`<div><dt>Latest invoice</dt><dd><a href="/stripe/invoices/${invoice.id}">${invoice.number}</a> ${badge(invoice.status)}</dd></div>`}
      </dl>
      <div class="buttons">${buttonsFor(subscription, invoice?.attempt_count ?? 0)}</div>
    </li>`
}
