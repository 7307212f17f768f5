import { Router } from 'express'
import { z } from 'zod'
import { faultsApi } from '../faults.ts'
import { check, notFound } from '../input.ts'
import { type Deliveries, webhooksApi } from '../webhook-delivery.ts'
import type { Checkout } from './checkout.ts'
import type { StripeFaults } from './guard.ts'
import type { Payments } from './payments.ts'
import type { StripeStore } from './store.ts'
import type { Subscriptions } from './subscriptions.ts'

const Advance = z.object({
  outcome: z.enum(['paid', 'declined'], 'outcome must be paid or declined').default('paid'),
})
const RefundBody = z.object({ amount: z.int('amount must be a number of cents').positive().optional() })
const Close = z.object({ outcome: z.enum(['won', 'lost'], 'outcome must be won or lost') })

type Action = (id: string, body?: unknown) => object

/** Actions of a payer, a bank or time, by name, for the pages and the tests. */
export function createActions(deps: {
  store: StripeStore
  payments: Payments
  subscriptions: Subscriptions
  checkout: Checkout
}) {
  const { payments, subscriptions, checkout, store } = deps
  const inOne =
    <Result extends object>(act: (id: string, body: unknown) => Result) =>
    (id: string, body: unknown = {}) =>
      store.transaction(() => act(id, body))
  return {
    checkout: {
      pay: inOne(checkout.pay),
      decline: inOne(checkout.decline),
      cancel: inOne(checkout.cancel),
      'leave-unpaid': inOne(checkout.leaveUnpaid),
      'payment-arrives': inOne(id => checkout.settle(id, 'paid')),
      'payment-fails': inOne(id => checkout.settle(id, 'declined')),
      expire: inOne(checkout.expire),
    },
    subscriptions: {
      advance: inOne((id, body) => subscriptions.advance(id, check(Advance, body).outcome)),
      cancel: inOne(subscriptions.cancelNow),
      refund: inOne((id, body) => payments.refund(payments.latestCharge(id), check(RefundBody, body).amount)),
      dispute: inOne(id => payments.dispute(payments.latestCharge(id))),
    },
    disputes: {
      close: inOne((id, body) => payments.closeDispute(id, check(Close, body).outcome)),
    },
  } satisfies Record<string, Record<string, Action>>
}
export type StripeActions = ReturnType<typeof createActions>

/** The action that an address names, such as `subscriptions` and `refund`. */
export function actionNamed(actions: StripeActions, group: string, name: string): Action | undefined {
  const groups = new Map<string, Record<string, Action>>(Object.entries(actions))
  return new Map(Object.entries(groups.get(group) ?? {})).get(name)
}

/** The pages' and the tests' HTTP API, below `/api/stripe`; described in the README. */
export function stripeControlApi(deps: {
  store: StripeStore
  faults: StripeFaults
  deliveries: Deliveries
  actions: StripeActions
}) {
  const { store, faults, deliveries, actions } = deps
  const router = Router()
  router.get('/subscriptions', (_request, response) => {
    response.json({ subscriptions: store.list('subscription') })
  })
  router.get('/events', (request, response) => {
    const { type } = check(z.object({ type: z.string().max(100).optional() }), request.query)
    response.json({ events: store.list('event', { '$.type': type }, 1000) })
  })
  router.use('/faults', faultsApi(faults))
  router.use('/webhooks', webhooksApi(deliveries, 'stripe'))
  router.post('/:group/:id/:action', (request, response) => {
    const { group, id, action } = request.params
    const act = actionNamed(actions, group, action)
    if (!act) throw notFound('Action')
    response.json(act(id, request.body ?? {}))
  })
  return router
}
