// The plans (specification, section 9). Internally, money is integers of the smallest unit.

export const FREE_MINUTES = 30
export const PAID_MINUTES = 1000
export const PRICE_CENTS = 499
export const CURRENCY = 'usd'
export const INTERVAL = 'month'
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
