import { randomBytes } from 'node:crypto'
import { type Database, inTransaction } from '../database.ts'
import { invalid, missing } from './errors.ts'

export interface StripeObject {
  id: string
  object: string
  created?: number
}

/** What a field must be, by JSON path such as `$.customer`; `undefined` asks nothing. */
export type Where = Record<string, string | number | { not: string } | undefined>

export interface Page {
  limit: number
  startingAfter?: string
  endingBefore?: string
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS stripe_objects (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, object TEXT NOT NULL, data TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS stripe_objects_kind ON stripe_objects (object, place);
  CREATE INDEX IF NOT EXISTS stripe_objects_customer ON stripe_objects (object, json_extract(data, '$.customer'));`

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTHS: Record<string, number> = { cus: 14, prod: 14, cs_test: 58 }

/** An id as Stripe makes them: prefix, underscore, letters and digits. */
export function newId(prefix: string) {
  const bytes = randomBytes(LENGTHS[prefix] ?? 24)
  return `${prefix}_${Array.from(bytes, byte => ALPHABET[byte % ALPHABET.length]).join('')}`
}

/** The id of what may have been given whole. */
export const idOf = (given: string | { id: string } | null | undefined) =>
  typeof given === 'object' && given ? given.id : (given ?? null)

export type StripeStore = ReturnType<typeof createStripeStore>

/** Every object of the stand-in as the JSON that the API answers, never expanded. */
export function createStripeStore(db: Database) {
  db.exec(TABLE)
  const select = db.prepare('SELECT data FROM stripe_objects WHERE id = ?')
  const upsert = db.prepare(
    `INSERT INTO stripe_objects (id, object, data) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET data = excluded.data`,
  )
  const selectPlace = db.prepare('SELECT place FROM stripe_objects WHERE id = ? AND object = ?')

  const find = <T extends StripeObject>(object: T['object'], id: string): T | null => {
    const row = select.get(id)
    const found = row && (JSON.parse(String(row.data)) as T)
    return found && found.object === object ? found : null
  }
  const placeOf = (object: string, id: string, param: string) => {
    const row = selectPlace.get(id, object)
    if (!row) throw missing(object, id, param)
    return Number(row.place)
  }

  return {
    find,
    /** Throws Stripe's `resource_missing`; `param` says where the id stood. */
    get<T extends StripeObject>(object: T['object'], id: string, param = 'id'): T {
      const found = find<T>(object, id)
      if (!found) throw missing(object.replace(/^checkout\.|^billing_portal\./, ''), id, param)
      return found
    },
    put<T extends StripeObject>(given: T): T {
      upsert.run(given.id, given.object, JSON.stringify(given))
      return given
    },
    /** The newest first. */
    list<T extends StripeObject>(
      object: T['object'],
      where: Where = {},
      page: Page = { limit: 100 },
    ): { data: T[]; hasMore: boolean } {
      const conditions = ['object = ?']
      const values: (string | number)[] = [object]
      for (const [path, value] of Object.entries(where)) {
        if (value === undefined) continue
        const is = typeof value !== 'object'
        conditions.push(`json_extract(data, '${path}') ${is ? '=' : '<>'} ?`)
        values.push(is ? value : value.not)
      }
      const { startingAfter, endingBefore, limit } = page
      if (startingAfter && endingBefore)
        throw invalid('starting_after and ending_before cannot be used together')
      if (startingAfter) {
        conditions.push('place < ?')
        values.push(placeOf(object, startingAfter, 'starting_after'))
      }
      if (endingBefore) {
        conditions.push('place > ?')
        values.push(placeOf(object, endingBefore, 'ending_before'))
      }
      const rows = db
        .prepare(
          `SELECT data FROM stripe_objects WHERE ${conditions.join(' AND ')}
           ORDER BY place ${endingBefore ? 'ASC' : 'DESC'} LIMIT ?`,
        )
        .all(...values, limit + 1)
        .map(row => JSON.parse(String(row.data)) as T)
      const data = rows.slice(0, limit)
      return { data: endingBefore ? data.reverse() : data, hasMore: rows.length > limit }
    },
    transaction: <T>(work: () => T) => inTransaction(db, work),
  }
}
