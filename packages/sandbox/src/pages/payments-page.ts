import { type Response, Router } from 'express'
import { BadInput } from '../input.ts'
import { actionNamed } from '../stripe/control-api.ts'
import { StripeApiError } from '../stripe/errors.ts'
import type { StripeRoutes } from '../stripe/index.ts'
import type { Dispute, Session } from '../stripe/objects.ts'
import { money } from './formats.ts'
import { badge, button, html } from './html.ts'
import type { SendPage } from './layout.ts'
import { subscriptionCard } from './subscription-card.ts'
import { section, type Trouble, troubleForms, troublePanel } from './trouble.ts'

function sessionRow({ store }: StripeRoutes, session: Session) {
  const at = (action: string) => `/stripe/checkout/${session.id}/${action}`
  return html`
    <li>
      <span>${store.find('customer', session.customer)?.email ?? session.id} · ${money(session.amount_total, session.currency)}</span>
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

const LABELS = {
  error: 'Server error at the next … calls',
  rateLimited: 'Too many requests at the next … calls',
  hang: 'No answer to the next … calls',
  lost: 'Done, but the answer is lost, next … calls',
}
const troubleOf = ({ faults, deliveries }: StripeRoutes): Trouble => ({
  provider: 'stripe',
  faults,
  deliveries,
  labels: LABELS,
})

function overview(routes: StripeRoutes, problem?: string) {
  const { store } = routes
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
        'rows',
      )}
      ${section(
        'sessions',
        'Open payment pages',
        sessions.map(session => sessionRow(routes, session)),
        'None.',
      )}
      ${section('disputes', 'Disputes', store.list('dispute').map(disputeRow), 'None.')}
      ${troublePanel(troubleOf(routes))}
    </div>`
}

/** Page of payments with their buttons; these are forms, so the page works without scripts. */
export function paymentsPages(routes: StripeRoutes, sendPage: SendPage) {
  const { actions } = routes
  const router = Router()
  const show = (response: Response, problem?: string) =>
    sendPage(response.status(problem ? 400 : 200), {
      title: 'Payments',
      section: 'payments',
      main: overview(routes, problem),
      scripts: ['live.js'],
    })
  router.get('/stripe', (_request, response) => show(response))
  router.use(troubleForms(troubleOf(routes), '/stripe'))
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
