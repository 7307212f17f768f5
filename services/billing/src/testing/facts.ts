import { monthsAfter } from '../minutes/months.ts'
import type { SubscriptionFacts } from '../stripe/facts.ts'

/** A live subscription as shown by Stripe. The month that begins `months` after `start` is paid. */
export const factsFrom = (
  start: Date,
  months: number,
  changes: Partial<SubscriptionFacts> = {},
): SubscriptionFacts => ({
  id: 'sub_1',
  customerId: 'cus_1',
  userId: 'u',
  hasOurPrice: true,
  isPaused: false,
  standing: 'live',
  cancelAtPeriodEnd: false,
  cancelAt: null,
  endedAt: null,
  paidPeriod: { start: monthsAfter(start, months), end: monthsAfter(start, months + 1) },
  price: 499,
  currency: 'usd',
  interval: 'month',
  ...changes,
})
