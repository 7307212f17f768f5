import type { z } from 'zod'
import type { Database } from './database.ts'

export type Settings = ReturnType<typeof createSettings>

/** Switches that a person set on a page (faults, pauses); stored, so that they survive a restart. */
export function createSettings(db: Database) {
  db.exec('CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT')
  const select = db.prepare('SELECT value FROM settings WHERE name = ?')
  const upsert = db.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  return {
    /** Returns what is stored under the name; the schema's defaults fill what is missing. */
    read<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
      const row = select.get(name)
      return schema.parse(row ? JSON.parse(String(row.value)) : {})
    },
    write(name: string, value: unknown) {
      upsert.run(name, JSON.stringify(value))
    },
  }
}
