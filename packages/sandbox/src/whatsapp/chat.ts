import { type Database, inTransaction } from '../database.ts'
import type { WhatsAppFaults } from './faults.ts'
import { badParameter, undeliverable, uploadFailed, windowClosed } from './graph-errors.ts'
import type { Media, MediaStore } from './media-store.ts'
import type { Message, Person, WhatsAppStore } from './store.ts'
import type { WebhookSender } from './webhooks.ts'

const WINDOW_MS = 24 * 3_600_000

interface FromPerson extends Pick<Message, 'type'>, Partial<Pick<Message, 'fileName' | 'voice' | 'text'>> {
  from: string
  name?: string
  hideNumber?: boolean
  media?: Media | null
  replyTo?: string
  repeat?: number
}

interface FromBusiness {
  to?: string
  recipient?: string
  context?: { message_id: string }
  type: 'text' | 'document'
  text?: { body: string }
  document?: { id: string; filename?: string; caption?: string }
}

export type ChatService = ReturnType<typeof createChatService>

/** Exchanges between people and the business. */
export function createChatService(deps: {
  db: Database
  store: WhatsAppStore
  media: MediaStore
  webhooks: WebhookSender
  faults: WhatsAppFaults
}) {
  const { db, store, webhooks, faults } = deps

  function recipientOf({ to, recipient }: FromBusiness): Person {
    if (to !== undefined) {
      const number = to.replace(/[^\d]/g, '')
      if (!/^[1-9]\d{6,14}$/.test(number)) throw badParameter('to is not a phone number')
      return store.person(number) ?? store.savePerson(number)
    }
    const person = recipient && store.personByUserId(recipient)
    if (!person) throw badParameter('to or a known recipient is required')
    return person
  }

  function troubleFor(person: Person) {
    const { window } = faults.read()
    if (faults.strikes('failLater')) return undeliverable()
    const open = window === 'real' && Date.now() - store.lastWrote(person.number) < WINDOW_MS
    return open ? null : windowClosed()
  }

  return {
    /** A person writes to the business; the webhook is queued in the same write. */
    fromPerson({ from, name, hideNumber, media = null, replyTo, repeat, text, ...message }: FromPerson) {
      return inTransaction(db, () => {
        const person = store.savePerson(from, { name, hidden: hideNumber })
        const added = store.addMessage({
          ...message,
          chat: person.number,
          direction: 'out',
          text: text || null,
          mediaId: media?.id ?? null,
          quotedId: replyTo ?? null,
        })
        webhooks.message(person, added, media, repeat)
        return added
      })
    },

    /** The business marks a message as read. */
    businessHasRead(messageId: string) {
      const message = store.message(messageId)
      if (message?.direction !== 'out') throw badParameter('message_id is not a message that came in')
      store.advanceStatus(messageId, 'read')
    },

    /** The business writes to a person. Accepted does not mean delivered: the statuses report that. */
    fromBusiness(given: FromBusiness): { person: Person; message: Message } {
      const media = given.document ? deps.media.find(given.document.id) : null
      if (given.document && !media) throw uploadFailed('document.id is not an uploaded media id')
      return inTransaction(db, () => {
        const person = recipientOf(given)
        const trouble = troubleFor(person)
        if (trouble && faults.read().window === 'refused') throw trouble
        const message = store.addMessage({
          chat: person.number,
          direction: 'in',
          type: given.type,
          text: given.text?.body ?? given.document?.caption ?? null,
          mediaId: media?.id ?? null,
          fileName: given.document?.filename ?? null,
          quotedId: given.context?.message_id ?? null,
          status: trouble ? 'failed' : 'delivered',
          problem: trouble ? `${trouble.code}: ${trouble.details}` : null,
        })
        if (trouble) webhooks.status(person, message.id, 'failed', message.at, trouble.inStatus())
        else
          for (const status of ['sent', 'delivered']) webhooks.status(person, message.id, status, message.at)
        return { person, message }
      })
    },

    /** The person looks at the chat: everything from the business counts as read. */
    personHasRead(number: string) {
      const person = store.person(number)
      const read = store
        .chat(number)
        .filter(({ direction, status }) => direction === 'in' && status === 'delivered')
      if (!person || !read.length) return
      inTransaction(db, () => {
        for (const message of read) {
          store.advanceStatus(message.id, 'read')
          webhooks.status(person, message.id, 'read', Date.now())
        }
      })
    },
  }
}
