import type { Stripe } from 'stripe'
import { type Database, inTransaction, openObjects } from '../database.ts'
import type { Deliveries } from '../webhook-delivery.ts'
import { missing } from './errors.ts'
import { newEvent, type Objects } from './objects.ts'

export type StripeStore = ReturnType<typeof createStripeStore>

/** Stores the stand-in's objects as the API returns them, never expanded. */
export function createStripeStore(db: Database, deliveries: Deliveries) {
  const objects = openObjects<Objects>(db)
  return {
    ...objects,
    /** Throws Stripe's `resource_missing`; `param` is the parameter that held the id. */
    get<K extends keyof Objects>(object: K, id: string, param = 'id'): Objects[K] {
      const found = objects.find(object, id)
      if (!found || ('deleted' in found && found.deleted))
        throw missing(object.replace(/^checkout\.|^billing_portal\./, ''), id, param)
      return found
    },
    /** Stores an object and an event with its current state, and queues the webhook. */
    emit<T extends Objects[keyof Objects]>(type: Stripe.Event.Type, object: T, previous?: object): T {
      objects.put(object)
      const event = objects.put(newEvent(type, { object, previous_attributes: previous }))
      deliveries.enqueue(event.id, JSON.stringify(event, null, 2))
      return object
    },
    transaction: <T>(work: () => T) => inTransaction(db, work),
  }
}
