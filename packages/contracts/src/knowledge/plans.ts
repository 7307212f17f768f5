// The plans (specification, section 9). Internally, money is integers of the smallest unit.

export const FREE_MINUTES = 30
export const PAID_MINUTES = 1000
export const PRICE_CENTS = 499
export const CURRENCY = 'usd'
export const INTERVAL = 'month'
export const FALLBACK_PERIOD_DAYS = 30
/** Days after a payment for which it is given back on request. */
export const REFUND_DAYS = 30
