import express, { Router } from 'express'
import type { Stripe } from 'stripe'
import { BadInput } from '../input.ts'
import { actionNamed } from '../stripe/control-api.ts'
import { StripeApiError } from '../stripe/errors.ts'
import { StripeFaultCounts } from '../stripe/faults.ts'
import type { StripeRoutes } from '../stripe/index.ts'
import type { Delivery } from '../webhook-delivery.ts'
import { moment, money } from './formats.ts'
import { html } from './html.ts'
import type { SendPage } from './layout.ts'
import { badge, button, subscriptionCard } from './subscription-card.ts'

function sessionRow(session: Stripe.Checkout.Session) {
  const at = (action: string) => `/stripe/checkout/${session.id}/${action}`
  return html`
    <li>
      <span>${session.customer_details?.email ?? session.customer_email ?? session.client_reference_id ?? session.id.slice(0, 18)}
        · ${money(session.amount_total, session.currency)}</span>
      ${badge(session.status === 'complete' ? session.payment_status : session.status)}
      ${session.url && html`<a class="button" href="${session.url}">Open</a>${button(at('expire'), 'Expire')}`}
      ${
        session.status === 'complete' &&
        session.payment_status === 'unpaid' && [
          button(at('payment-arrives'), 'Payment arrives', {}, 'primary'),
          button(at('payment-fails'), 'Payment fails'),
        ]
      }
    </li>`
}

const disputeRow = ({ id, amount, currency, status }: Stripe.Dispute) => html`
  <li>
    <span>${money(amount, currency)} · ${id}</span>
    ${badge(status)}
    ${
      status === 'needs_response' && [
        button(`/stripe/disputes/${id}/close`, 'We win', { outcome: 'won' }),
        button(`/stripe/disputes/${id}/close`, 'We lose', { outcome: 'lost' }),
      ]
    }
  </li>`

const deliveryRow = (delivery: Delivery) => html`
  <li>
    <span>${delivery.label} <span class="hint">${moment(delivery.createdAt)}</span></span>
    ${badge(delivery.status)}
    <span class="hint">${delivery.problem ?? delivery.answerStatus ?? ''}${delivery.attempts > 1 && `, ${delivery.attempts} tries`}</span>
    ${button(`/stripe/webhooks/${delivery.id}/resend`, 'Again', {}, 'quiet')}
  </li>`

const LABELS: Record<keyof StripeFaultCounts, string> = {
  error: 'Server error at the next … calls',
  rateLimited: 'Too many requests at the next … calls',
  hang: 'No answer to the next … calls',
  lost: 'Done, but the answer is lost, next … calls',
}

function faultForm({ faults, deliveries }: StripeRoutes) {
  const left = faults.read()
  return html`
    <details class="card panel">
      <summary>Make something go wrong</summary>
      <form method="post" action="/stripe/faults" class="rows">
        ${Object.entries(LABELS).map(
          ([name, label]) => html`<label>${label}
            <input type="number" name="${name}" min="0" max="999" value="${left[name as keyof StripeFaultCounts]}"></label>`,
        )}
        <label class="tick"><input type="checkbox" name="paused"${deliveries.paused().stripe && html` checked`}> Hold webhooks back</label>
        <div><button>Save</button></div>
      </form>
    </details>`
}

function overview(routes: StripeRoutes, problem?: string) {
  const { store, deliveries } = routes
  const subscriptions = store.list<Stripe.Subscription>('subscription').data
  const sessions = store
    .list<Stripe.Checkout.Session>('checkout.session', {}, { limit: 20 })
    .data.filter(({ status, payment_status }) => status === 'open' || payment_status === 'unpaid')
  const disputes = store.list<Stripe.Dispute>('dispute').data
  const log = deliveries.list('stripe', 60)
  return html`
    <div class="page">
      <div>
        <h1>Payments</h1>
        <p class="lead">Stands in for Stripe. No card is asked for and no money moves.</p>
      </div>
      ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
      <section data-live="subscriptions" aria-labelledby="subscriptions" class="rows">
        <h2 id="subscriptions">Subscriptions</h2>
        ${
          subscriptions.length
            ? html`<ul class="rows">${subscriptions.map(subscription => subscriptionCard(routes, subscription))}</ul>`
            : html`<p class="card empty">Nobody has bought anything yet. Start the purchase in the app; it leads to a payment page here.</p>`
        }
      </section>
      <section data-live="sessions" aria-labelledby="sessions" class="rows">
        <h2 id="sessions">Open payment pages</h2>
        ${sessions.length ? html`<ul class="card log">${sessions.map(sessionRow)}</ul>` : html`<p class="card empty">None.</p>`}
      </section>
      <section data-live="disputes" class="rows" aria-label="Disputes">
        ${disputes.length > 0 && html`<h2>Disputes</h2><ul class="card log">${disputes.map(disputeRow)}</ul>`}
      </section>
      ${faultForm(routes)}
      <section data-live="deliveries" aria-labelledby="deliveries" class="rows">
        <h2 id="deliveries">Webhooks</h2>
        ${log.length ? html`<ol class="card log">${log.map(deliveryRow)}</ol>` : html`<p class="card empty">None yet.</p>`}
      </section>
    </div>`
}

/** What can be seen and pressed around payments; forms, so that it works without scripts. */
export function paymentsPages(routes: StripeRoutes, sendPage: SendPage) {
  const { actions, deliveries, faults } = routes
  const router = Router()
  router.use(express.urlencoded({ extended: false, limit: '20kb' }))
  const show = (response: express.Response, problem?: string) =>
    sendPage(response.status(problem ? 400 : 200), {
      title: 'Payments',
      section: 'payments',
      main: overview(routes, problem),
      scripts: ['live.js'],
      styles: ['payments.css'],
    })

  router.get('/stripe', (_request, response) => show(response))
  router.post('/stripe/faults', (request, response) => {
    const { paused, ...counts } = request.body
    const parsed = StripeFaultCounts.partial().safeParse(
      Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)])),
    )
    if (!parsed.success) return show(response, 'Numbers from 0 to 999, please.')
    faults.change(parsed.data)
    deliveries.pause('stripe', paused === 'on')
    response.redirect(303, '/stripe')
  })
  router.post('/stripe/webhooks/:id/resend', (request, response) => {
    deliveries.resend(request.params.id)
    response.redirect(303, '/stripe')
  })
  router.post('/stripe/:group/:id/:action', (request, response, next) => {
    const { group, id, action } = request.params
    const act = actionNamed(actions, group, action)
    if (!act) return next()
    try {
      act(id, request.body)
      response.redirect(303, '/stripe')
    } catch (error) {
      if (!(error instanceof StripeApiError || error instanceof BadInput)) throw error
      show(response, error.message)
    }
  })
  return router
}
