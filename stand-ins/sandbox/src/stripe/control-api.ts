import { Router } from 'express'
import { z } from 'zod'
import { check, notFound } from '../input.ts'
import type { Deliveries } from '../webhook-delivery.ts'
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
const Query = z.object({ type: z.string().max(100).optional() })

/** Parts of the stand-in that actions use. */
export interface StripeParts {
  store: StripeStore
  payments: Payments
  subscriptions: Subscriptions
  checkout: Checkout
}

export type Act = ReturnType<typeof createAct>

/** Runs an action of a payer, a bank or time: `act('subscriptions', id, 'refund', { amount: 100 })`. 404 if unknown. */
export function createAct({ payments, subscriptions, checkout, store }: StripeParts) {
  const actions = new Map<string, (id: string, body: unknown) => object>([
    ['checkout/pay', checkout.pay],
    ['checkout/decline', checkout.decline],
    ['checkout/cancel', checkout.cancel],
    ['checkout/leave-unpaid', checkout.leaveUnpaid],
    ['checkout/payment-arrives', id => checkout.settle(id, 'paid')],
    ['checkout/payment-fails', id => checkout.settle(id, 'declined')],
    ['checkout/expire', checkout.expire],
    ['subscriptions/advance', (id, body) => subscriptions.advance(id, check(Advance, body).outcome)],
    ['subscriptions/cancel', subscriptions.cancelNow],
    [
      'subscriptions/refund',
      (id, body) => payments.refund(payments.latestCharge(id), check(RefundBody, body).amount),
    ],
    ['subscriptions/dispute', id => payments.dispute(payments.latestCharge(id))],
    ['disputes/close', (id, body) => payments.closeDispute(id, check(Close, body).outcome)],
  ])
  return (group: string, id: string, action: string, body?: unknown) => {
    const act = actions.get(`${group}/${action}`)
    if (!act) throw notFound('Action')
    return store.transaction(() => act(id, body))
  }
}

/** HTTP API for the pages and tests, below `/api/stripe`; described in the README. */
export function stripeControlApi(store: StripeStore, faults: StripeFaults, deliveries: Deliveries, act: Act) {
  const router = Router()
  router.get('/subscriptions', (_request, response) => {
    response.json({ subscriptions: store.list('subscription') })
  })
  router.get('/events', (request, response) => {
    const { type } = check(Query, request.query)
    response.json({ events: store.list('event', { '$.type': type }, 1000) })
  })
  router.use('/faults', faults.api)
  router.use('/webhooks', deliveries.api)
  router.post('/:group/:id/:action', ({ params: { group, id, action }, body }, response) => {
    response.json(act(group, id, action, body))
  })
  return router
}
