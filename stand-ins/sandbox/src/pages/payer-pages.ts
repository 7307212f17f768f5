import { type Response, Router } from 'express'
import { ApiError } from '../input.ts'
import { successUrl } from '../stripe/checkout.ts'
import type { StripeRoutes } from '../stripe/index.ts'
import { itemOf, type Portal, type Price, type Session, type Subscription } from '../stripe/objects.ts'
import { button, day, type Html, html, money } from './html.ts'
import type { SendPage } from './layout.ts'

const originOf = (url: string | null) => (url && URL.canParse(url) ? [new URL(url).origin] : [])

const frame = (content: Html) => html`<div class="payer"><article class="card rows">${content}</article>
  <p class="hint">This is a sandbox: no card is asked for and no money moves.</p></div>`

function closed(session: Session) {
  if (session.status === 'complete')
    return frame(html`<h1>This is done already</h1>
      <p>${session.payment_status === 'paid' ? 'The payment is complete.' : 'The payment is on its way.'}</p>
      <a role="button" href="${successUrl(session)}">Back to the shop</a>`)
  return frame(html`<h1>This payment page has expired</h1><p>Go back to the shop and start again.</p>
    ${session.cancel_url && html`<a role="button" class="outline" href="${session.cancel_url}">Back to the shop</a>`}`)
}

function payment(session: Session, price: Price, email: string | null, problem?: string) {
  const total = money(session.amount_total, session.currency)
  const at = (action: string) => `/stripe/pay/${session.id}/${action}`
  return frame(html`
    <div>
      <p class="hint">You subscribe to</p>
      <h1>${price.nickname}</h1>
      <p>${total} a ${price.recurring.interval}</p>
    </div>
    <dl class="rows">
      <div class="line"><dt class="grow">E-mail</dt><dd>${email ?? 'not given'}</dd></div>
      <div class="line"><dt class="grow">Due today</dt><dd>${total}</dd></div>
    </dl>
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
    <div class="rows">
      ${button(at('pay'), `Pay ${total}`, {}, 'primary')}
      ${button(at('decline'), 'Pay with a card that is declined')}
      ${button(at('cancel'), 'Cancel and go back', {}, 'outline secondary')}
    </div>`)
}

const CARD_NOTES: Record<string, Html> = {
  saved: html`<p class="notice" role="status">The new card is saved, and nothing is left to pay.</p>`,
  declined: html`<p class="notice bad" role="alert">The card was declined. The old one stays.</p>`,
}

function portalPage({ id, return_url }: Portal, subscriptions: Subscription[], card: unknown) {
  const press = (action: string, label: string, fields = {}, kind = 'outline') =>
    button(`/stripe/portal/${id}/${action}`, label, fields, kind)
  const row = (subscription: Subscription) => {
    const { status, cancel_at } = subscription
    const { price, current_period_end: end } = itemOf(subscription)
    const plan = { subscription: subscription.id }
    return html`
      <div>
        <h2>${price.nickname}</h2>
        <p>${money(price.unit_amount, price.currency)} a ${price.recurring.interval},
          ${cancel_at ? 'ends on' : 'renews on'} ${day(cancel_at ?? end)}</p>
        ${status === 'past_due' && html`<p class="notice bad">The last payment failed. A new card pays it.</p>`}
      </div>
      ${cancel_at ? press('keep', 'Do not cancel', plan) : press('cancel', 'Cancel at the end of the period', plan)}`
  }
  return frame(html`
    <h1>Your subscription</h1>
    ${Object.hasOwn(CARD_NOTES, String(card)) && CARD_NOTES[String(card)]}
    ${subscriptions.length ? subscriptions.map(row) : html`<p>There is none.</p>`}
    <div class="rows">
      <h2>Payment method</h2>
      ${press('card', 'Give a new card', {}, 'primary')}
      ${press('declined-card', 'Give a card that is declined')}
    </div>
    ${return_url && html`<p><a href="${return_url}">Back to the shop</a></p>`}`)
}

/** A payer's actions; all others belong to banks and time. */
const PRESSABLE = ['pay', 'decline', 'cancel'] as const

/** A payer's pages: the payment page and the billing portal. */
export function payerPages(routes: StripeRoutes, sendPage: SendPage) {
  const { store, checkout, act, subscriptions } = routes
  const router = Router()

  function showPayment(response: Response, id: string, problem?: string) {
    const session = store.transaction(() => checkout.get(id))
    const { email } = store.get('customer', session.customer)
    const price = store.get('price', session.sandbox_plan.price)
    sendPage(response.status(problem ? 402 : 200), {
      title: 'Payment',
      formActions: [...originOf(session.success_url), ...originOf(session.cancel_url)],
      main: session.status === 'open' ? payment(session, price, email, problem) : closed(session),
    })
  }

  router.get('/stripe/pay/:id', (request, response) => showPayment(response, request.params.id))
  router.post('/stripe/pay/:id/:action', (request, response, next) => {
    const { id } = request.params
    const action = PRESSABLE.find(name => name === request.params.action)
    if (!action) return next()
    try {
      const { url } = store.transaction(() => checkout[action](id))
      if (action === 'decline') showPayment(response, id, 'Your card was declined. Try another one.')
      else response.redirect(303, url ?? `/stripe/pay/${id}`)
    } catch (error) {
      // It was paid in another tab or expired in the meantime; the page says which.
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      showPayment(response, id)
    }
  })

  router.get('/stripe/portal/:id', (request, response) => {
    const portal = store.get('billing_portal.session', request.params.id)
    const main = portalPage(portal, subscriptions.ofCustomer(portal.customer), request.query.card)
    sendPage(response, { title: 'Your subscription', main })
  })
  router.post('/stripe/portal/:id/:action', (request, response, next) => {
    const { id, action } = request.params
    const theirs = subscriptions.ofCustomer(store.get('billing_portal.session', id).customer)
    const backWith = (card?: string) =>
      response.redirect(303, `/stripe/portal/${id}${card ? `?card=${card}` : ''}`)
    if (action === 'declined-card') return backWith('declined')
    if (action === 'card') {
      for (const { id, status } of theirs) if (status === 'past_due') act('subscriptions', id, 'advance')
      return backWith('saved')
    }
    const own = theirs.find(subscription => subscription.id === request.body.subscription)
    if (!own || (action !== 'cancel' && action !== 'keep')) return next()
    // With flexible billing, the portal sets cancel_at and leaves cancel_at_period_end unchanged.
    const cancel_at = action === 'cancel' ? itemOf(own).current_period_end : null
    store.transaction(() => subscriptions.update(own.id, { cancel_at }))
    backWith()
  })
  return router
}
