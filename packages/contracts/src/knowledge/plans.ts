// The plans (specification, section 9). Internally, money is integers of the smallest unit.

/** `interval`: Stripe's word for what the price is for. The minutes of `free` are those of an installation that chooses none. */
export const PLANS = {
  free: { minutes: 30 },
  monthly: { interval: 'month', cents: 499, minutes: 1000 },
} as const
export type PlanName = keyof typeof PLANS
export type PaidPlan = Exclude<PlanName, 'free'>
export const PLAN_NAMES = Object.keys(PLANS) as [PlanName, ...PlanName[]]
export const PAID_PLANS = PLAN_NAMES.filter(name => name !== 'free') as [PaidPlan, ...PaidPlan[]]
export const CURRENCY = 'usd'

/** Returns the plan that is paid for such an interval; the first one, should its price have another interval at Stripe. */
export const planOf = (interval: string): PaidPlan =>
  PAID_PLANS.find(name => PLANS[name].interval === interval) ?? PAID_PLANS[0]

/** Returns a plan's price as a sentence has it: `4.99 USD a month`. */
export const priceOf = (plan: PaidPlan): string =>
  `${PLANS[plan].cents / 100} ${CURRENCY.toUpperCase()} a ${PLANS[plan].interval}`

export const FALLBACK_PERIOD_DAYS = 30
/** Less than this is shown as 0.0 minutes and fits no note. */
const NOTHING_SECONDS = 6

/** Returns the share of a period's minutes that is used, in steps that its person is told of; undefined below the first. */
export function percentPassed(usedSeconds: number, totalSeconds: number): 80 | 100 | undefined {
  if (totalSeconds <= 0) return undefined
  if (totalSeconds - usedSeconds < NOTHING_SECONDS) return 100
  return usedSeconds * 100 >= totalSeconds * 80 ? 80 : undefined
}

/** Days after a payment for which it is given back on request. */
export const REFUND_DAYS = 30
