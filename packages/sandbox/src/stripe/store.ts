import { type Database, inTransaction } from '../database.ts'
import { missing } from './errors.ts'
import type { Objects } from './objects.ts'

type Kind = keyof Objects

/** Wanted values by JSON path such as `$.customer`; `undefined` matches any value. */
export type Where = Record<string, string | undefined>

const TABLE = `
  CREATE TABLE IF NOT EXISTS stripe_objects (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, object TEXT NOT NULL, data TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS stripe_objects_kind ON stripe_objects (object, place);
  CREATE INDEX IF NOT EXISTS stripe_objects_customer ON stripe_objects (object, json_extract(data, '$.customer'));`

export type StripeStore = ReturnType<typeof createStripeStore>

/** Every object of the stand-in as the JSON that the API returns, never expanded. */
export function createStripeStore(db: Database) {
  db.exec(TABLE)
  const select = db.prepare('SELECT data FROM stripe_objects WHERE object = ? AND id = ?')
  const upsert = db.prepare(
    `INSERT INTO stripe_objects (id, object, data) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET data = excluded.data`,
  )

  function find<K extends Kind>(object: K, id: string): Objects[K] | null {
    const row = select.get(object, id)
    return row ? JSON.parse(String(row.data)) : null
  }

  return {
    find,
    /** Throws Stripe's `resource_missing`; `param` is the parameter that held the id. */
    get<K extends Kind>(object: K, id: string, param = 'id'): Objects[K] {
      const found = find(object, id)
      if (!found) throw missing(object.replace(/^checkout\.|^billing_portal\./, ''), id, param)
      return found
    },
    put<T extends Objects[Kind]>(given: T): T {
      upsert.run(given.id, given.object, JSON.stringify(given))
      return given
    },
    /** The newest first. */
    list<K extends Kind>(object: K, where: Where = {}, limit = 100): Objects[K][] {
      const asked = Object.entries(where).flatMap(([path, value]) =>
        value === undefined ? [] : [{ path, value }],
      )
      const conditions = asked.map(({ path }) => ` AND json_extract(data, '${path}') = ?`).join('')
      return db
        .prepare(`SELECT data FROM stripe_objects WHERE object = ?${conditions} ORDER BY place DESC LIMIT ?`)
        .all(object, ...asked.map(({ value }) => value), limit)
        .map(row => JSON.parse(String(row.data)))
    },
    transaction: <T>(work: () => T) => inTransaction(db, work),
  }
}
