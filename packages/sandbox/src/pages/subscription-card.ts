import type { StripeRoutes } from '../stripe/index.ts'
import { itemOf, type Subscription } from '../stripe/objects.ts'
import { PAYMENT_ATTEMPTS } from '../stripe/payments.ts'
import { day, money } from './formats.ts'
import { badge, button, type Html, html } from './html.ts'

function buttonsFor({ id, status, cancel_at }: Subscription, attempts: number): Html[] {
  const at = (action: string) => `/stripe/subscriptions/${id}/${action}`
  const advance = (label: string, outcome: string, kind?: string) =>
    button(at('advance'), label, { outcome }, kind)
  const cancel = button(at('cancel'), 'Cancel now', {}, 'danger')
  const moneyBack = [button(at('refund'), 'Refund all')]
  if (status === 'active' && cancel_at)
    return [advance('Let the period pass: it ends', 'paid', 'primary'), ...moneyBack, cancel]
  if (status === 'active')
    return [
      advance('Let the period pass: it renews', 'paid', 'primary'),
      advance('Let the period pass: payment fails', 'declined'),
      ...moneyBack,
      cancel,
    ]
  if (status === 'past_due')
    return [
      advance('Next try succeeds', 'paid', 'primary'),
      advance(`Next try fails (${attempts} of ${PAYMENT_ATTEMPTS} have)`, 'declined'),
      cancel,
    ]
  return status === 'canceled' ? moneyBack : []
}

/** A subscription, and what can happen to it next. */
export function subscriptionCard({ store }: StripeRoutes, subscription: Subscription) {
  const customer = store.find('customer', subscription.customer)
  const invoice = store.find('invoice', subscription.latest_invoice)
  const { price, current_period_start: start, current_period_end: end } = itemOf(subscription)
  return html`
    <li class="card rows">
      <div class="line">
        <h3 class="grow">${customer?.email ?? customer?.name ?? 'Unknown customer'}</h3>
        ${badge(subscription.status)}
      </div>
      <p class="hint">${subscription.id} · ${price.nickname} · ${money(price.unit_amount, price.currency)} a ${price.recurring.interval}</p>
      <dl class="facts">
        <div><dt>Period</dt><dd>${day(start)} to ${day(end)}</dd></div>
        ${subscription.cancel_at && html`<div><dt>Ends</dt><dd>${day(subscription.cancel_at)}</dd></div>`}
        ${invoice && html`<div><dt>Latest invoice</dt><dd>${badge(invoice.status)}</dd></div>`}
      </dl>
      <div class="buttons">${buttonsFor(subscription, invoice?.attempt_count ?? 0)}</div>
    </li>`
}
