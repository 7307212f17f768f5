import type { Stripe } from 'stripe'
import { newId } from './store.ts'

const EXPIRES_AFTER_SECONDS = 24 * 3600

/** What the page needs and the API does not show; kept beside the session. */
export interface CheckoutPlan {
  id: string
  object: 'sandbox.checkout_plan'
  price: string
  quantity: number
  subscriptionMetadata: Stripe.Metadata
}

export const planIdOf = (sessionId: string) => `plan_of_${sessionId}`

export function newSession(
  given: {
    price: Stripe.Price
    quantity: number
    successUrl: string
    cancelUrl?: string
    customer?: string
    customerEmail?: string
    clientReferenceId?: string
    metadata?: Stripe.Metadata
    expiresAt?: number
    pageUrl: (id: string) => string
  },
  now: number,
): Stripe.Checkout.Session {
  const id = newId('cs_test')
  const total = (given.price.unit_amount ?? 0) * given.quantity
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: given.cancelUrl ?? null,
    client_reference_id: given.clientReferenceId ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: given.price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: given.customer ?? null,
    customer_account: null,
    customer_creation: given.customer ? null : 'always',
    customer_details: null,
    customer_email: given.customerEmail ?? null,
    discounts: [],
    expires_at: given.expiresAt ?? now + EXPIRES_AFTER_SECONDS,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: given.metadata ?? {},
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: given.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: given.pageUrl(id),
    wallet_options: null,
  }
}

/** Expanded as `line_items`. */
export function lineItemOf(
  session: Stripe.Checkout.Session,
  price: Stripe.Price,
  quantity: number,
): Stripe.LineItem {
  const total = session.amount_total ?? 0
  return {
    id: `li_${session.id.slice(-24)}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: price.nickname,
    metadata: {},
    price,
    quantity,
  }
}
