import express, { Router } from 'express'
import { z } from 'zod'
import { check, notFound } from '../input.ts'
import type { Deliveries } from '../webhook-delivery.ts'
import type { Checkout } from './checkout.ts'
import { StripeFaultCounts, type StripeFaults } from './faults.ts'
import type { Payments } from './payments.ts'
import type { StripeStore } from './store.ts'
import type { Subscriptions } from './subscriptions.ts'

const Advance = z.object({
  outcome: z.enum(['paid', 'declined'], 'outcome must be paid or declined').default('paid'),
})
const RefundBody = z.object({
  amount: z.preprocess(
    given => (given === '' ? undefined : given),
    z.coerce.number('amount must be a number of cents').int().positive().optional(),
  ),
})
const Paused = z.object({ paused: z.boolean('paused must be true or false') })
const Close = z.object({ outcome: z.enum(['won', 'lost'], 'outcome must be won or lost') })

export interface StripeControls {
  store: StripeStore
  payments: Payments
  subscriptions: Subscriptions
  checkout: Checkout
  faults: StripeFaults
  deliveries: Deliveries
}

type Action = (id: string, body?: unknown) => object

/** What a payer, a bank or time can do, by name; the pages and the tests press the same buttons. */
export function createActions({ payments, subscriptions, checkout, store }: StripeControls) {
  const latest = (id: string) => ({ charge: payments.latestChargeOf(id).id })
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
      refund: inOne((id, body) => payments.refund({ ...latest(id), amount: check(RefundBody, body).amount })),
      dispute: inOne(id => payments.dispute(latest(id))),
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
export function stripeControlApi(deps: StripeControls & { actions: StripeActions }) {
  const { store, faults, deliveries, actions } = deps
  const router = Router()
  router.use(express.json({ limit: '100kb' }))

  router.get('/subscriptions', (_request, response) => {
    response.json({ subscriptions: store.list('subscription').data })
  })
  router.get('/events', (request, response) => {
    const type = check(z.object({ type: z.string().max(100).optional() }), request.query).type
    response.json({ events: store.list('event', { '$.type': type }, { limit: 1000 }).data })
  })
  router.get('/faults', (_request, response) => {
    response.json(faults.read())
  })
  router.post('/faults', (request, response) => {
    response.json(faults.change(check(StripeFaultCounts.partial(), request.body)))
  })
  router.get('/webhooks', (_request, response) => {
    response.json({ paused: deliveries.paused().stripe, deliveries: deliveries.list('stripe') })
  })
  router.post('/webhooks', (request, response) => {
    deliveries.pause('stripe', check(Paused, request.body).paused)
    response.json({ paused: deliveries.paused().stripe })
  })
  router.post('/webhooks/:id/resend', (request, response) => {
    if (!deliveries.resend(String(request.params.id))) throw notFound('Delivery')
    response.status(202).json({ resent: true })
  })
  router.post('/:group/:id/:action', (request, response) => {
    const { group, id, action } = request.params
    const act = actionNamed(actions, group, action)
    if (!act) throw notFound('Action')
    response.json(act(id, request.body ?? {}))
  })
  return router
}
