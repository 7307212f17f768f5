import type { Stripe } from 'stripe'
import { newId } from './store.ts'

// Stripe sends decimals as text; the library turns them into numbers of its own.
const decimal = (cents: number) => String(cents) as unknown as Stripe.Decimal

export function newProduct(
  given: { name: string; description?: string; metadata?: Stripe.Metadata },
  now: number,
): Stripe.Product {
  return {
    id: newId('prod'),
    object: 'product',
    active: true,
    created: now,
    default_price: null,
    description: given.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: given.metadata ?? {},
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  }
}

export function newPrice(
  given: {
    product: string
    currency: string
    unitAmount: number
    recurring?: { interval: Stripe.Price.Recurring.Interval; intervalCount: number }
    lookupKey?: string
    nickname?: string
    metadata?: Stripe.Metadata
  },
  now: number,
): Stripe.Price {
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: now,
    currency: given.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: given.lookupKey ?? null,
    metadata: given.metadata ?? {},
    nickname: given.nickname ?? null,
    product: given.product,
    recurring: given.recurring
      ? {
          interval: given.recurring.interval,
          interval_count: given.recurring.intervalCount,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: given.recurring ? 'recurring' : 'one_time',
    unit_amount: given.unitAmount,
    unit_amount_decimal: decimal(given.unitAmount),
  }
}

/** The older form of a price, which subscription items still carry. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

export function newCustomer(
  given: { email?: string; name?: string; phone?: string; description?: string; metadata?: Stripe.Metadata },
  now: number,
): Stripe.Customer {
  const id = newId('cus')
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: given.description ?? null,
    email: given.email ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: given.metadata ?? {},
    name: given.name ?? null,
    next_invoice_sequence: 1,
    phone: given.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

/**
 * The end of the period that begins at `start`, unix seconds. Monthly periods keep the anchor's day where the month
 * has it: 31 January, 28 February, 31 March.
 */
export function periodAfter(start: number, recurring: Stripe.Price.Recurring | null, anchor = start): number {
  const { interval, interval_count: count } = recurring ?? { interval: 'month', interval_count: 1 }
  const date = new Date(start * 1000)
  if (interval === 'day' || interval === 'week') {
    date.setUTCDate(date.getUTCDate() + count * (interval === 'week' ? 7 : 1))
    return date.getTime() / 1000
  }
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count * (interval === 'year' ? 12 : 1))
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(new Date(anchor * 1000).getUTCDate(), lastDay))
  return date.getTime() / 1000
}
