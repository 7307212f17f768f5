import { randomUUID } from 'node:crypto'
import { type Database, openObjects } from '../database.ts'

export interface Mail {
  object: 'mail'
  id: string
  /** The envelope's sender and recipients, in lower case. */
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

const LATEST = 200

export type MailStore = ReturnType<typeof createMailStore>

export function createMailStore(db: Database) {
  const { find, list, put } = openObjects<{ mail: Mail }>(db)
  return {
    add: (given: Omit<Mail, 'object' | 'id' | 'at'>) =>
      put<Mail>({ object: 'mail', id: randomUUID(), ...given, at: Date.now() }),
    get: (id: string) => find('mail', id),
    /** The newest first; `to` is the whole address of the first recipient, in any case. */
    list: (to?: string) => list('mail', { '$.to[0]': to?.toLowerCase() }, LATEST),
  }
}
