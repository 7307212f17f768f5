// The plans (specification, section 9). Internally, money is in integers of the smallest unit.

/** `interval`: Stripe's billing interval. `free.minutes`: the default of an installation. */
export const PLANS = {
  free: { minutes: 30 },
  monthly: { interval: 'month', cents: 499, minutes: 1000 },
} as const
export type PlanName = keyof typeof PLANS
export type PaidPlan = Exclude<PlanName, 'free'>
export const PLAN_NAMES = Object.keys(PLANS) as [PlanName, ...PlanName[]]
export const PAID_PLANS = PLAN_NAMES.filter(name => name !== 'free') as [PaidPlan, ...PaidPlan[]]
export const CURRENCY = 'usd'

/** Returns the plan with this billing interval; the first one if the price has another interval at Stripe. */
export const planOf = (interval: string): PaidPlan =>
  PAID_PLANS.find(name => PLANS[name].interval === interval) ?? PAID_PLANS[0]

/** Returns a plan's price for a sentence: `4.99 USD a month`. */
export const priceOf = (plan: PaidPlan): string =>
  `${PLANS[plan].cents / 100} ${CURRENCY.toUpperCase()} a ${PLANS[plan].interval}`

export const FALLBACK_PERIOD_DAYS = 30
/** Fewer seconds are shown as 0.0 minutes and are too few for any note. */
const NOTHING_SECONDS = 6

/** Returns the percentage of used minutes that the person is notified of; undefined below 80%. */
export function percentPassed(usedSeconds: number, totalSeconds: number): 80 | 100 | undefined {
  if (totalSeconds <= 0) return undefined
  if (totalSeconds - usedSeconds < NOTHING_SECONDS) return 100
  return usedSeconds * 100 >= totalSeconds * 80 ? 80 : undefined
}

/** Days after a payment within which it is refunded on request. */
export const REFUND_DAYS = 30
