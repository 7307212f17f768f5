import { z } from 'zod'
import { type Database, inTransaction } from '../database.ts'
import { Flag, PhoneNumber } from '../input.ts'
import type { WhatsAppFaults } from './faults.ts'
import { badParameter, inStatus, PROBLEMS, refusedFor, uploadFailed } from './graph-errors.ts'
import type { MediaStore } from './media-store.ts'
import type { Message, Person, WhatsAppStore } from './store.ts'
import type { WebhookSender, WhatsAppSettings } from './webhooks.ts'

const WINDOW_MS = 24 * 3_600_000

/** The sender of a message, and how its webhook is delivered. */
export const Writing = z.object({
  from: PhoneNumber,
  name: z.string().trim().max(100).optional(),
  hideNumber: Flag.optional(),
  /** The id of a message to quote. */
  replyTo: z.string().max(200).optional(),
  /** How often the webhook comes, with the same message id. */
  repeat: z.coerce.number().int().min(1).max(20).default(1),
})

export const messageId = z.string().max(200)
const recipient = {
  messaging_product: z.literal('whatsapp'),
  to: z.string().max(30).optional(),
  recipient: z.string().max(150).optional(),
  context: z.object({ message_id: messageId }).optional(),
}
/** A message from the business, as Meta's API takes it. */
export const FromBusiness = z.discriminatedUnion('type', [
  z.object({
    ...recipient,
    type: z.literal('text'),
    text: z.object({
      body: z.string().min(1).max(4096),
    }),
  }),
  z.object({
    ...recipient,
    type: z.literal('document'),
    document: z.object({
      id: z.string().max(40),
      filename: z.string().max(240).optional(),
      caption: z.string().max(1024).optional(),
    }),
  }),
])
type FromBusiness = z.output<typeof FromBusiness>

export type ChatService = ReturnType<typeof createChatService>

/** The rooms of the stand-in, for those who act in them. */
export interface WhatsAppParts {
  whatsapp: WhatsAppSettings
  store: WhatsAppStore
  media: MediaStore
  faults: WhatsAppFaults
  chats: ChatService
}

/** Exchanges between people and the business. */
export function createChatService({
  db,
  store,
  media: files,
  webhooks,
  faults,
}: Pick<WhatsAppParts, 'store' | 'media' | 'faults'> & { db: Database; webhooks: WebhookSender }) {
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
    if (faults.strikes('failLater')) return 'undeliverable'
    const open = window === 'real' && Date.now() - store.lastWrote(person.id) < WINDOW_MS
    return open ? null : 'windowClosed'
  }

  return {
    /** A person writes to the business; the webhook is queued in the same write. */
    fromPerson(writing: z.output<typeof Writing>, message: Pick<Message, 'type'> & Partial<Message>) {
      const { from, name, hideNumber, replyTo: quotedId = null, repeat } = writing
      return inTransaction(db, () => {
        const person = store.savePerson(from, { name, hidden: hideNumber })
        const added = store.addMessage({ ...message, chat: person.id, direction: 'out', quotedId })
        webhooks.message(person, added, repeat)
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
      const document = given.type === 'document' ? given.document : undefined
      const media = document ? files.find(document.id) : null
      if (document && !media) throw uploadFailed('document.id is not an uploaded media id')
      return inTransaction(db, () => {
        const person = recipientOf(given)
        const trouble = troubleFor(person)
        if (trouble && faults.read().window === 'refused') throw refusedFor(trouble)
        const message = store.addMessage({
          chat: person.id,
          direction: 'in',
          type: given.type,
          text: (given.type === 'text' ? given.text.body : given.document.caption) ?? null,
          media,
          fileName: document?.filename ?? null,
          quotedId: given.context?.message_id ?? null,
          status: trouble ? 'failed' : 'delivered',
          problem: trouble && `${PROBLEMS[trouble][0]}: ${PROBLEMS[trouble][2]}`,
        })
        if (trouble) webhooks.status(person, message.id, 'failed', message.at, inStatus(trouble))
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
