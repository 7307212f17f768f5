import { type Response, Router } from 'express'
import { ApiError } from '../input.ts'
import { actionNamed } from '../stripe/control-api.ts'
import type { StripeRoutes } from '../stripe/index.ts'
import { html, section } from './html.ts'
import type { SendPage } from './layout.ts'
import { subscriptionCard } from './subscription-card.ts'

function overview(routes: StripeRoutes, problem?: string) {
  const { store } = routes
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
  router.post('/stripe/:group/:id/:action', (request, response, next) => {
    const { group, id, action } = request.params
    const act = actionNamed(actions, group, action)
    if (!act) return next()
    try {
      act(id, request.body)
      response.redirect(303, '/stripe')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      show(response, error.message)
    }
  })
  return router
}
