import { randomBytes } from 'node:crypto'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Database } from '../database.ts'
import { digits } from './media-store.ts'

export interface Person {
  /** E.164 digits without `+`. */
  number: string
  name: string
  /** Business-scoped user id: country, dot, digits. A number keeps its own. */
  userId: string
  /** Whether WhatsApp hides the number from the business. */
  hidden: boolean
}

export type MessageType = 'text' | 'audio' | 'video' | 'image' | 'document'

export interface Message {
  id: string
  /** The person's number. */
  chat: string
  /** As the person sees it: `out` is what they sent, `in` is what the business sent. */
  direction: 'out' | 'in'
  type: MessageType
  /** The text, or the caption. */
  text: string | null
  mediaId: string | null
  fileName: string | null
  voice: boolean
  quotedId: string | null
  status: 'sent' | 'delivered' | 'read' | 'failed'
  /** Why it could not be delivered. */
  problem: string | null
  /** Milliseconds since 1970. */
  at: number
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS wa_people (
    number TEXT PRIMARY KEY, name TEXT NOT NULL, userId TEXT NOT NULL UNIQUE, hidden INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS wa_messages (
    id TEXT PRIMARY KEY, chat TEXT NOT NULL, direction TEXT NOT NULL, type TEXT NOT NULL, text TEXT, mediaId TEXT,
    fileName TEXT, voice INTEGER NOT NULL, quotedId TEXT, status TEXT NOT NULL, problem TEXT, at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS wa_messages_chat ON wa_messages (chat, at);`

const LATEST = 500

const asMessage = (row: object) => ({ ...row, voice: Boolean((row as Message).voice) }) as Message
const asPerson = (row: object) => ({ ...row, hidden: Boolean((row as Person).hidden) }) as Person

export type WhatsAppStore = ReturnType<typeof createWhatsAppStore>

/** People and messages of the stand-in. */
export function createWhatsAppStore(db: Database) {
  db.exec(TABLES)
  return { ...people(db), ...messages(db) }
}

function people(db: Database) {
  const one = (where: string, value: string) => {
    const row = db.prepare(`SELECT * FROM wa_people WHERE ${where} = ?`).get(value)
    return row ? asPerson(row) : null
  }
  const person = (number: string) => one('number', number)
  return {
    person,
    personByUserId: (userId: string) => one('userId', userId),
    /** Adds the person, or changes the given fields. */
    savePerson(number: string, changes: { name?: string; hidden?: boolean } = {}): Person {
      const known = person(number)
      const country = parsePhoneNumberFromString(`+${number}`)?.country ?? 'US'
      const saved: Person = {
        number,
        name: changes.name || known?.name || `+${number}`,
        userId: known?.userId ?? `${country}.${digits(20)}`,
        hidden: changes.hidden ?? known?.hidden ?? false,
      }
      db.prepare(
        `INSERT INTO wa_people VALUES (?, ?, ?, ?)
         ON CONFLICT (number) DO UPDATE SET name = excluded.name, hidden = excluded.hidden`,
      ).run(saved.number, saved.name, saved.userId, Number(saved.hidden))
      return saved
    },
  }
}

function messages(db: Database) {
  const message = (id: string) => {
    const row = db.prepare('SELECT * FROM wa_messages WHERE id = ?').get(id)
    return row ? asMessage(row) : null
  }
  return {
    message,
    addMessage(given: Pick<Message, 'chat' | 'direction' | 'type'> & Partial<Omit<Message, 'at'>>): Message {
      const saved: Message = {
        id: `wamid.HBgL${randomBytes(24).toString('base64url')}`,
        text: null,
        mediaId: null,
        fileName: null,
        voice: false,
        quotedId: null,
        status: 'sent',
        problem: null,
        at: Date.now(),
        ...given,
      }
      const columns = Object.keys(saved)
      db.prepare(
        `INSERT INTO wa_messages (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ).run(...Object.values(saved).map(value => (typeof value === 'boolean' ? Number(value) : value)))
      return saved
    },
    /** Moves forward only: sent → delivered → read. */
    advanceStatus(id: string, status: 'delivered' | 'read') {
      const before = status === 'read' ? "'sent', 'delivered'" : "'sent'"
      db.prepare(`UPDATE wa_messages SET status = ? WHERE id = ? AND status IN (${before})`).run(status, id)
    },
    /** The latest messages of a chat, oldest first. */
    chat: (number: string): Message[] =>
      db
        .prepare('SELECT * FROM wa_messages WHERE chat = ? ORDER BY rowid DESC LIMIT ?')
        .all(number, LATEST)
        .map(asMessage)
        .reverse(),
    /** When the person last wrote, in milliseconds since 1970; 0 when never. */
    lastWrote(number: string) {
      const row = db
        .prepare(`SELECT MAX(at) AS at FROM wa_messages WHERE chat = ? AND direction = 'out'`)
        .get(number)
      return Number(row?.at ?? 0)
    },
  }
}
