import type { Stripe } from 'stripe'
import { amountOf, paymentIntentsOf, subscriptionFacts } from './facts.ts'

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

const factsOf = (told: Stripe.Subscription, billed: Stripe.Invoice[] = []) =>
  subscriptionFacts(told, billed, ['price_ours'])
const pricedAt = (...prices: object[]) =>
  ({ ...subscription, items: { data: prices.map(price => ({ price })) } }) as unknown as Stripe.Subscription

const OWN = { start: new Date(1_000_000), end: new Date(2_000_000) }
const BILLED = { start: new Date(500_000), end: new Date(1_500_000) }

test.each([
  ['usd', 499, 4.99],
  ['jpy', 750, 750],
  ['kwd', 1_500, 1.5],
  // Stripe counts hundredths of krónur, which don't exist.
  ['isk', 70_000, 700],
])('when an amount is in %s, then its smallest unit is Stripe’s', (currency, smallest, amount) => {
  expect(amountOf(smallest, currency)).toBe(amount)
})

test('when fields that say nothing are left out, then they mean the same as null', () => {
  const { cancel_at: _cancelAt, ended_at: _endedAt, ...told } = subscription
  expect(factsOf(told as Stripe.Subscription)).toEqual(factsOf(subscription))
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
    expect(factsOf({ ...subscription, status }, [...billed]).paidPeriod).toEqual(expected)
  })
})

describe('when a subscription', () => {
  const ours = { id: 'price_ours', unit_amount: 499, currency: 'usd', recurring: { interval: 'month' } }
  test.each([
    ['has our price', [ours], { hasOurPrice: true, price: 499, interval: 'month' }],
    [
      'has it beside another',
      [{ ...ours, id: 'price_2', unit_amount: 1 }, ours],
      { hasOurPrice: true, price: 499 },
    ],
    [
      'has an old price',
      [{ ...ours, id: 'price_old', unit_amount: 399 }],
      { hasOurPrice: false, price: 399 },
    ],
    [
      'is paid by the year',
      [{ ...ours, id: 'price_year', unit_amount: 4_900, recurring: { interval: 'year' } }],
      { hasOurPrice: false, price: 4_900, interval: 'year' },
    ],
  ])('%s, then it is told as it is', (_what, prices, expected) => {
    expect(factsOf(pricedAt(...prices))).toMatchObject(expected)
  })

  test.each([
    ['is paused', { status: 'paused' }],
    ['is not collected for a while', { pause_collection: { behavior: 'void' } }],
  ])('%s, then it is paused, and not over', (_what, told) => {
    const facts = factsOf({ ...subscription, ...told } as Stripe.Subscription)
    expect(facts).toMatchObject({ isPaused: true, standing: 'live' })
  })
})
