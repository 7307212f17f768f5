import { type Database, inTransaction, openObjects } from '../database.ts'
import { missing } from './errors.ts'
import type { Objects } from './objects.ts'

type Kind = keyof Objects

export type StripeStore = ReturnType<typeof createStripeStore>

/** Every object of the stand-in as the JSON that the API returns, never expanded. */
export function createStripeStore(db: Database) {
  const objects = openObjects<Objects>(db)
  return {
    ...objects,
    /** Throws Stripe's `resource_missing`; `param` is the parameter that held the id. */
    get<K extends Kind>(object: K, id: string, param = 'id'): Objects[K] {
      const found = objects.find(object, id)
      if (!found) throw missing(object.replace(/^checkout\.|^billing_portal\./, ''), id, param)
      return found
    },
    transaction: <T>(work: () => T) => inTransaction(db, work),
  }
}
