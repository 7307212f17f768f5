import { randomUUID } from 'node:crypto'
import type { Database } from '../database.ts'

export interface Mail {
  id: string
  /** The envelope's sender and recipients. */
  from: string
  to: string[]
  /** As the headers show them. */
  fromShown: string
  toShown: string
  replyTo: string
  subject: string
  text: string
  html: string
  headers: { name: string; value: string }[]
  /** Milliseconds since 1970. */
  at: number
}

export type MailStore = ReturnType<typeof createMailStore>

export function createMailStore(db: Database) {
  db.exec(`CREATE TABLE IF NOT EXISTS mails (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, mail TEXT NOT NULL) STRICT`)
  const asMail = (row: unknown) => JSON.parse(String((row as { mail: string }).mail)) as Mail
  return {
    add(given: Omit<Mail, 'id' | 'at'>): Mail {
      const mail = { id: randomUUID(), ...given, at: Date.now() }
      db.prepare('INSERT INTO mails (id, mail) VALUES (?, ?)').run(mail.id, JSON.stringify(mail))
      return mail
    },
    get(id: string): Mail | null {
      const row = db.prepare('SELECT mail FROM mails WHERE id = ?').get(id)
      return row ? asMail(row) : null
    },
    /** The newest first; `to` compares whole addresses and ignores case. */
    list(to?: string, limit = 200): Mail[] {
      return db
        .prepare(
          `SELECT mail FROM mails
           WHERE ? IS NULL OR EXISTS (
             SELECT 1 FROM json_each(mail, '$.to') WHERE lower(json_each.value) = lower(?))
           ORDER BY place DESC LIMIT ?`,
        )
        .all(to ?? null, to ?? null, limit)
        .map(asMail)
    },
    clear() {
      db.exec('DELETE FROM mails')
    },
  }
}
