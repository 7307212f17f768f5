import { createHmac } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { Deliveries } from '../webhook-delivery.ts'
import { newEvent } from './objects.ts'
import type { StripeStore } from './store.ts'

/** Stripe's signature over `t.body`; `t` is the moment of sending. */
export function stripeSignature(secret: string, body: string) {
  const seconds = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { 'stripe-signature': `t=${seconds},v1=${mac}` }
}

/** Records what happened, as the object is now, and queues the webhook. */
export type Emit = (type: Stripe.Event.Type, object: object, previousAttributes?: object) => void

export function createEmit(deps: { store: StripeStore; deliveries: Deliveries; now: () => number }): Emit {
  return (type, object, previous_attributes) => {
    const event = deps.store.put(
      newEvent(type, { object, ...(previous_attributes && { previous_attributes }) }, deps.now()),
    )
    deps.deliveries.enqueue('stripe', event.id, JSON.stringify(event, null, 2))
  }
}
