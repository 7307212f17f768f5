import { createHmac } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { Deliveries } from '../webhook-delivery.ts'
import { newId, type StripeObject, type StripeStore } from './store.ts'

export const API_VERSION = '2026-10-28.endive'

/** Stripe's signature over `t.body`; `t` is the moment of sending. */
export const stripeSignature = (secret: string, body: string, seconds = Math.floor(Date.now() / 1000)) => ({
  'stripe-signature': `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
})

interface StoredEvent extends StripeObject {
  object: 'event'
  type: Stripe.Event.Type
  data: { object: StripeObject; previous_attributes?: object }
}

/** Records what happened, as the object is now, and queues the webhook. */
export type Emit = (type: Stripe.Event.Type, object: StripeObject, previousAttributes?: object) => void

export function createEmit(deps: { store: StripeStore; deliveries: Deliveries; now: () => number }): Emit {
  return (type, object, previousAttributes) => {
    const event = deps.store.put<StoredEvent & Record<string, unknown>>({
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: deps.now(),
      data: { object, ...(previousAttributes && { previous_attributes: previousAttributes }) },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
    })
    deps.deliveries.enqueue('stripe', {
      label: type,
      subject: event.id,
      body: JSON.stringify(event, null, 2),
    })
  }
}
