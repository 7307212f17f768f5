import { z } from 'zod'
import type { Writing } from '../chat/chat-api.ts'
import type { MediaStore } from '../chat/media-store.ts'
import type { ChatStore, Message, Person } from '../chat/store.ts'
import { type Database, inTransaction } from '../database.ts'
import { badInput } from '../input.ts'
import type { WhatsAppFaults } from './faults.ts'
import { badParameter, uploadFailed, WINDOW_CLOSED, windowClosed } from './graph-errors.ts'
import { numbersOf, type WebhookSender, type WhatsAppSettings } from './webhooks.ts'

const WINDOW_MS = 24 * 3_600_000

export const messageId = z.string().max(200)
const buttonId = z
  .string()
  .min(1)
  .max(256)
  .refine(id => id === id.trim(), 'must not begin or end with a space')
const Reply = z.object({
  type: z.literal('reply'),
  reply: z.object({ id: buttonId, title: z.string().min(1).max(20) }),
})
const areUnique = (buttons: z.output<typeof Reply>[]) =>
  new Set(buttons.map(({ reply }) => reply.title)).size === buttons.length
/** A template's value, in which Meta refuses line breaks. */
const TemplateText = z.object({
  type: z.literal('text'),
  text: z
    .string()
    .min(1)
    .max(1024)
    .regex(
      /^(?!.* {5})[^\n\t]*$/,
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    ),
})
const recipient = {
  messaging_product: z.literal('whatsapp'),
  to: z.string().max(30).optional(),
  recipient: z.string().max(150).optional(),
  context: z.object({ message_id: messageId }).optional(),
}
/** A message from the business, in the format of Meta's API. */
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
    type: z.literal('interactive'),
    interactive: z.object({
      type: z.literal('button'),
      body: z.object({ text: z.string().min(1).max(1024) }),
      action: z.object({ buttons: z.array(Reply).min(1).max(3).refine(areUnique, 'titles must differ') }),
    }),
  }),
  z.object({
    ...recipient,
    type: z.literal('template'),
    template: z.object({
      name: z.string().regex(/^[a-z0-9_]{1,512}$/),
      language: z.object({ code: z.string().min(2) }),
      components: z
        .array(z.object({ type: z.literal('body'), parameters: z.array(TemplateText) }))
        .default([]),
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

/** Returns a message's text, as its reader sees it, and its buttons. */
function wordsOf(given: FromBusiness): Pick<Message, 'text' | 'buttons'> {
  if (given.type === 'text') return { text: given.text.body }
  if (given.type === 'document') return { text: given.document.caption ?? null }
  if (given.type === 'interactive') {
    const { body, action } = given.interactive
    return { text: body.text, buttons: action.buttons.map(({ reply }) => reply) }
  }
  const { name, components } = given.template
  const values = components.flatMap(({ parameters }) => parameters.map(({ text }) => text))
  return { text: [`(${name})`, ...values].join(' ') }
}

export type ChatService = ReturnType<typeof createChatService>

/** Parts of the stand-in that depend on one another. */
export interface WhatsAppParts {
  whatsapp: WhatsAppSettings
  store: ChatStore
  media: MediaStore
  faults: WhatsAppFaults
  chats: ChatService
}

/** Exchanges between people and the business. */
export function createChatService({
  db,
  whatsapp,
  store,
  media: files,
  webhooks,
  faults,
}: Pick<WhatsAppParts, 'whatsapp' | 'store' | 'media' | 'faults'> & {
  db: Database
  webhooks: WebhookSender
}) {
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

  /** Whether the person can receive free text: within 24 hours of their last message. */
  const isOpenFor = (person: Person) =>
    faults.read().window === 'real' && Date.now() - store.lastWrote(person.id) < WINDOW_MS

  return {
    /** Adds a person's message to the business, and queues its webhook in the same write. */
    fromPerson(writing: z.output<typeof Writing>, message: Pick<Message, 'type'> & Partial<Message>) {
      const { from, name, hideNumber, to, replyTo: quotedId = null, repeat } = writing
      const numberId = [...numbersOf(whatsapp)].find(([, number]) => number === to)?.[0]
      if (to && !numberId) throw badInput('is not a number of the business', 'to')
      return inTransaction(db, () => {
        const person = store.savePerson(from, { name, hidden: hideNumber })
        const added = store.addMessage({
          ...message,
          chat: person.id,
          direction: 'out',
          quotedId,
          ...(numberId && { numberId }),
        })
        webhooks.message(person, added, repeat)
        return added
      })
    },

    /** Marks a person's message as read by the business, along with all before it. */
    businessHasRead(messageId: string) {
      const message = store.message(messageId)
      if (message?.direction !== 'out') throw badParameter('message_id is not a message that came in')
      const chat = store.chat(message.chat)
      const before = chat.slice(0, chat.findIndex(({ id }) => id === messageId) + 1)
      for (const { id, direction } of before) if (direction === 'out') store.advanceStatus(id, 'read')
    },

    /** Adds the business's message to a person. Accepted doesn't mean delivered, which the statuses report. */
    fromBusiness(given: FromBusiness, numberId: string): { person: Person; message: Message } {
      const document = given.type === 'document' ? given.document : undefined
      const media = document ? files.find(document.id) : null
      if (document && !media) throw uploadFailed('document.id is not an uploaded media id')
      return inTransaction(db, () => {
        const person = recipientOf(given)
        const isTaken = given.type === 'template' || isOpenFor(person)
        if (!isTaken && faults.read().window === 'refused') throw windowClosed()
        const message = store.addMessage({
          chat: person.id,
          numberId,
          direction: 'in',
          type: document ? 'document' : 'text',
          ...wordsOf(given),
          media,
          fileName: document?.filename ?? null,
          quotedId: given.context?.message_id ?? null,
          status: isTaken ? 'delivered' : 'failed',
          problem: isTaken ? null : `${WINDOW_CLOSED.code}: ${WINDOW_CLOSED.error_data.details}`,
        })
        const report = (status: string, error?: object) =>
          webhooks.status(person, message, status, message.at, error)
        if (!isTaken) report('failed', WINDOW_CLOSED)
        else for (const status of ['sent', 'delivered']) report(status)
        return { person, message }
      })
    },

    /** The person opens the chat: marks everything from the business as read. */
    personHasRead(number: string) {
      const person = store.person(number)
      const read = store
        .chat(number)
        .filter(({ direction, status }) => direction === 'in' && status === 'delivered')
      if (!person || !read.length) return
      inTransaction(db, () => {
        for (const message of read) {
          store.advanceStatus(message.id, 'read')
          webhooks.status(person, message, 'read', Date.now())
        }
      })
    },
  }
}
