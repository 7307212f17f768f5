import type { Stripe } from 'stripe'
import { paymentIntentsOf, subscriptionFacts } from './facts.ts'

const subscription = {
  id: 'sub_1',
  status: 'active',
  customer: 'cus_1',
  created: 1_000,
  metadata: {},
  cancel_at_period_end: false,
  cancel_at: null,
  ended_at: null,
  items: {
    data: [
      {
        current_period_start: 1_000,
        current_period_end: 2_000,
        price: { unit_amount: 499, currency: 'usd' },
      },
    ],
  },
} as unknown as Stripe.Subscription

const invoice = (status: string, of = 'sub_1') =>
  ({
    id: 'in_1',
    status,
    customer: 'cus_1',
    created: 1_000,
    attempt_count: 1,
    amount_due: 499,
    amount_paid: 0,
    currency: 'usd',
    status_transitions: { paid_at: null },
    parent: { subscription_details: { subscription: of } },
    lines: { data: [{ period: { start: 500, end: 1_500 } }] },
  }) as unknown as Stripe.Invoice

const OWN = { start: new Date(1_000_000), end: new Date(2_000_000) }
const BILLED = { start: new Date(500_000), end: new Date(1_500_000) }

test('when fields that say nothing are left out, then they mean the same as null', () => {
  const { cancel_at: _cancelAt, ended_at: _endedAt, ...told } = subscription
  expect(subscriptionFacts(told as Stripe.Subscription, [])).toEqual(subscriptionFacts(subscription, []))
})

test('when an invoice was paid at the second try, then only that payment counts', () => {
  const paymentOf = (status: string, payment_intent: string) => ({ status, payment: { payment_intent } })
  const payments = {
    data: [paymentOf('canceled', 'pi_1'), paymentOf('paid', 'pi_2'), paymentOf('open', 'pi_3')],
  }
  expect(paymentIntentsOf({ ...invoice('paid'), payments } as unknown as Stripe.Invoice)).toEqual(['pi_2'])
})

describe('the period that is paid', () => {
  test.each([
    ['a paid invoice names one', 'active', [invoice('paid')], BILLED],
    ['the invoice is not paid yet', 'active', [invoice('open')], null],
    ['the invoice is a draft', 'active', [invoice('draft')], null],
    ['Stripe calls it active and never billed it', 'active', [], OWN],
    ['only another subscription was billed', 'active', [invoice('paid', 'sub_2')], OWN],
    ['it was never billed and is not active', 'incomplete', [], null],
  ] as const)('when %s, then it is that', (_when, status, billed, expected) => {
    expect(subscriptionFacts({ ...subscription, status }, [...billed]).paidPeriod).toEqual(expected)
  })
})
