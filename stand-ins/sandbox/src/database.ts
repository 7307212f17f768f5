import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type Database = DatabaseSync

const TABLE = `
  PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS objects (
    place INTEGER PRIMARY KEY, object TEXT NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL,
    UNIQUE (object, id)) STRICT;
  CREATE INDEX IF NOT EXISTS objects_kind ON objects (object, place);
  CREATE INDEX IF NOT EXISTS objects_customer ON objects (object, json_extract(data, '$.customer'));
  CREATE INDEX IF NOT EXISTS objects_chat ON objects (object, json_extract(data, '$.chat'));`

/** Opens `dataDir/sandbox.sqlite`, creating it on first use. A committed write survives a killed process. */
export function openDatabase(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true })
  const db = new DatabaseSync(join(dataDir, 'sandbox.sqlite'))
  db.exec(TABLE)
  return db
}

/** Runs `work` in one transaction; nested calls join the open one. */
export function inTransaction<T>(db: Database, work: () => T): T {
  if (db.isTransaction) return work()
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

/** Values to match by JSON path, such as `$.customer`; `undefined` matches any value. */
export type Where = Record<string, string | undefined>

/** Stores the stand-ins' state as JSON objects, by kind and id. */
export function openObjects<Kinds extends { [Kind in keyof Kinds]: { object: Kind; id: string } }>(
  db: Database,
) {
  type Name = keyof Kinds & string
  const select = db.prepare('SELECT data FROM objects WHERE object = ? AND id = ?')
  const upsert = db.prepare(
    `INSERT INTO objects (object, id, data) VALUES (?, ?, ?)
     ON CONFLICT (object, id) DO UPDATE SET data = excluded.data`,
  )
  return {
    find<K extends Name>(object: K, id: string): Kinds[K] | null {
      const row = select.get(object, id)
      return row ? JSON.parse(String(row.data)) : null
    },
    put<T extends Kinds[Name]>(given: T): T {
      upsert.run(given.object as string, given.id, JSON.stringify(given))
      return given
    },
    /** Deletes all but the newest objects of a kind. */
    prune(object: Name, kept: number): void {
      db.prepare(
        `DELETE FROM objects WHERE object = ? AND place <=
           (SELECT place FROM objects WHERE object = ? ORDER BY place DESC LIMIT 1 OFFSET ?)`,
      ).run(object, object, kept)
    },
    /** Newest first. */
    list<K extends Name>(object: K, where: Where = {}, limit = 100): Kinds[K][] {
      const conditions = Object.entries(where).flatMap(([path, value]) =>
        value === undefined ? [] : [{ path, value }],
      )
      const clauses = conditions.map(({ path }) => ` AND json_extract(data, '${path}') = ?`).join('')
      return db
        .prepare(`SELECT data FROM objects WHERE object = ?${clauses} ORDER BY place DESC LIMIT ?`)
        .all(object, ...conditions.map(({ value }) => value), limit)
        .map(row => JSON.parse(String(row.data)))
    },
  }
}
