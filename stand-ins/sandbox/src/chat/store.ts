import { randomBytes } from 'node:crypto'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { type Database, openObjects } from '../database.ts'
import { digits, type Media } from './media-store.ts'

export interface Person {
  object: 'person'
  /** E.164 digits without `+`. */
  id: string
  name: string
  /** Business-scoped user id: country, dot, digits. The same for a number forever. */
  userId: string
  /** Whether WhatsApp hides the number from the business. */
  hidden: boolean
}

/** A reply button. */
export interface Button {
  id: string
  title: string
}

export interface Message {
  object: 'message'
  id: string
  chat: string
  /** Id of the business's number, if it has several. */
  numberId?: string
  /** From the person's side: `out` is sent by them, `in` by the business. */
  direction: 'out' | 'in'
  type: 'text' | 'audio' | 'video' | 'image' | 'document'
  /** The text, or the caption. */
  text: string | null
  media: Media | null
  fileName: string | null
  voice: boolean
  /** Buttons below the text; unset without any. */
  buttons?: Button[]
  /** The button that the person pressed. */
  pressed?: Button
  quotedId: string | null
  /** Telegram's sequential message number; unset in WhatsApp. */
  number?: number
  status: 'sent' | 'delivered' | 'read' | 'failed'
  /** Why it couldn't be delivered. */
  problem: string | null
  /** Milliseconds since 1970. */
  at: number
}

const LATEST = 500

export type ChatStore = ReturnType<typeof createChatStore>

/** People and messages of the stand-in. */
export function createChatStore(db: Database) {
  const { find, list, put } = openObjects<{ person: Person; message: Message }>(db)
  return {
    person: (number: string) => find('person', number),
    personByUserId: (userId: string) => list('person', { '$.userId': userId }, 1)[0],
    /** Adds the person or changes the given fields. */
    savePerson(number: string, changes: { name?: string; hidden?: boolean } = {}): Person {
      const known = find('person', number)
      const country = parsePhoneNumberFromString(`+${number}`)?.country ?? 'US'
      return put<Person>({
        object: 'person',
        id: number,
        name: changes.name || known?.name || `+${number}`,
        userId: known?.userId ?? `${country}.${digits(20)}`,
        hidden: changes.hidden ?? known?.hidden ?? false,
      })
    },
    message: (id: string | null) => (id ? find('message', id) : null),
    addMessage(given: Pick<Message, 'chat' | 'direction' | 'type'> & Partial<Message>): Message {
      return put<Message>({
        object: 'message',
        id: `wamid.HBgL${randomBytes(24).toString('base64url')}`,
        text: null,
        media: null,
        fileName: null,
        voice: false,
        quotedId: null,
        status: 'sent',
        problem: null,
        at: Date.now(),
        ...given,
      })
    },
    /** Returns the next sequential number for Telegram. */
    nextNumber: () => (list('message', {}, 1)[0]?.number ?? 0) + 1,
    /** Moves forward only: sent → delivered → read. */
    advanceStatus(id: string, status: 'delivered' | 'read') {
      const message = find('message', id)
      if (message?.status === 'sent' || (message?.status === 'delivered' && status === 'read'))
        put<Message>({ ...message, status })
    },
    /** The latest messages of a chat, oldest first. */
    chat: (number: string) => list('message', { '$.chat': number }, LATEST).reverse(),
    /** When the person last wrote, in milliseconds since 1970; 0 if never. */
    lastWrote: (number: string) => list('message', { '$.chat': number, '$.direction': 'out' }, 1)[0]?.at ?? 0,
  }
}
