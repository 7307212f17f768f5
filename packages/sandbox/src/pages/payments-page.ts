import { type Response, Router } from 'express'
import { BadInput } from '../input.ts'
import { actionNamed } from '../stripe/control-api.ts'
import { StripeApiError } from '../stripe/errors.ts'
import type { StripeRoutes } from '../stripe/index.ts'
import type { Dispute, Session } from '../stripe/objects.ts'
import type { Delivery } from '../webhook-delivery.ts'
import { moment, money } from './formats.ts'
import { badge, button, type Html, html } from './html.ts'
import type { SendPage } from './layout.ts'
import { subscriptionCard } from './subscription-card.ts'

function sessionRow(session: Session) {
  const at = (action: string) => `/stripe/checkout/${session.id}/${action}`
  const email = session.customer_details?.email ?? session.customer_email
  return html`
    <li>
      <span>${email ?? session.client_reference_id ?? session.id} · ${money(session.amount_total, session.currency)}</span>
      ${badge(session.status === 'complete' ? session.payment_status : session.status)}
      ${
        session.url
          ? [html`<a class="button" href="${session.url}">Open</a>`, button(at('expire'), 'Expire')]
          : [
              button(at('payment-arrives'), 'Payment arrives', {}, 'primary'),
              button(at('payment-fails'), 'Payment fails'),
            ]
      }
    </li>`
}

const disputeRow = ({ id, amount, currency, status }: Dispute) => html`
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
    <span class="hint">${delivery.problem ?? delivery.answerStatus}${delivery.attempts > 1 && `, ${delivery.attempts} tries`}</span>
    ${button(`/stripe/webhooks/${delivery.id}/resend`, 'Again', {}, 'quiet')}
  </li>`

const LABELS = {
  error: 'Server error at the next … calls',
  rateLimited: 'Too many requests at the next … calls',
  hang: 'No answer to the next … calls',
  lost: 'Done, but the answer is lost, next … calls',
} as const

function faultForm({ faults, deliveries }: StripeRoutes) {
  const left = faults.read()
  return html`
    <details class="card panel">
      <summary>Make something go wrong</summary>
      <form method="post" action="/stripe/faults" class="rows">
        ${Object.entries(LABELS).map(
          ([name, label]) => html`<label>${label}
            <input type="number" name="${name}" min="0" max="999" value="${left[name as keyof typeof LABELS]}"></label>`,
        )}
        <label class="tick"><input type="checkbox" name="paused"${deliveries.paused().stripe && html` checked`}> Hold webhooks back</label>
        <div><button>Save</button></div>
      </form>
    </details>`
}

const section = (id: string, title: string, entries: Html[], none: string) => html`
  <section data-live="${id}" aria-labelledby="${id}" class="rows">
    <h2 id="${id}">${title}</h2>
    ${entries.length ? html`<ul class="${id === 'subscriptions' ? 'rows' : 'card log'}">${entries}</ul>` : html`<p class="card empty">${none}</p>`}
  </section>`

function overview(routes: StripeRoutes, problem?: string) {
  const { store, deliveries } = routes
  const sessions = store
    .list('checkout.session', { '$.payment_status': 'unpaid' }, 20)
    .filter(({ status }) => status !== 'expired')
  return html`
    <div class="page">
      <div>
        <h1>Payments</h1>
        <p class="lead">Stands in for Stripe. No card is asked for and no money moves.</p>
      </div>
      ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
      ${section(
        'subscriptions',
        'Subscriptions',
        store.list('subscription').map(subscription => subscriptionCard(routes, subscription)),
        'Nobody has bought anything yet. Start the purchase in the app; it leads to a payment page here.',
      )}
      ${section('sessions', 'Open payment pages', sessions.map(sessionRow), 'None.')}
      ${section('disputes', 'Disputes', store.list('dispute').map(disputeRow), 'None.')}
      ${faultForm(routes)}
      ${section('deliveries', 'Webhooks', deliveries.list('stripe', 60).map(deliveryRow), 'None yet.')}
    </div>`
}

/** What can be seen and pressed around payments; forms, so that it works without scripts. */
export function paymentsPages(routes: StripeRoutes, sendPage: SendPage) {
  const { actions, deliveries, faults } = routes
  const router = Router()
  const show = (response: Response, problem?: string) =>
    sendPage(response.status(problem ? 400 : 200), {
      title: 'Payments',
      section: 'payments',
      main: overview(routes, problem),
      scripts: ['live.js'],
    })
  /** Acts and goes back to the page, which says why when it could not be done. */
  function pressed(response: Response, act: () => unknown) {
    try {
      act()
      response.redirect(303, '/stripe')
    } catch (error) {
      if (!(error instanceof StripeApiError || error instanceof BadInput)) throw error
      show(response, error.message)
    }
  }

  router.get('/stripe', (_request, response) => show(response))
  router.post('/stripe/faults', (request, response) => {
    const { paused, ...counts } = request.body
    const numbers = Object.entries(counts).map(([name, value]) => [name, Number(value)])
    pressed(response, () => {
      faults.change(Object.fromEntries(numbers))
      deliveries.pause('stripe', paused === 'on')
    })
  })
  router.post('/stripe/webhooks/:id/resend', (request, response) => {
    pressed(response, () => deliveries.resend(request.params.id))
  })
  router.post('/stripe/:group/:id/:action', (request, response, next) => {
    const { group, id, action } = request.params
    const act = actionNamed(actions, group, action)
    if (act) pressed(response, () => act(id, request.body))
    else next()
  })
  return router
}
