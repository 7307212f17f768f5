import { randomUUID } from 'node:crypto'
import { ContactMessageReceived } from '@voxscribe/contracts/events'
import { api, ContactBody } from '@voxscribe/contracts/http'
import { REDELIVERED_MS } from '@voxscribe/messaging'
import {
  currentTrace,
  type Documents,
  implement,
  networkOf,
  type RateLimit,
  type Route,
  schemaOf,
} from '@voxscribe/service'
import { z } from 'zod'

const ContactMessage = ContactBody.extend({ _id: z.string(), at: z.date() })

export type ContactMessages = ReturnType<typeof createContactMessages>
export const createContactMessages = (documents: Documents) =>
  documents.outboxModel(
    'contact_messages',
    // After that, only support has the words of a stranger.
    schemaOf(ContactMessage)
      .index({ email: 1 })
      .index({ at: 1 }, { expireAfterSeconds: REDELIVERED_MS / 1000 }),
    { owner: null, because: 'written by an address, which may have no account' },
  )

export function notificationRoutes(messages: ContactMessages, limit: RateLimit): Route[] {
  return [
    implement(api.contact, async ({ body, ip, uiLanguage }) => {
      await limit.count(networkOf(ip))
      const received = ContactMessageReceived.create({ ...body, uiLanguage }, { traceId: currentTrace() })
      // Stored first, so that no message is lost while the mail server is down.
      await messages.create({ _id: randomUUID(), ...body, at: new Date(), outbox: [received] })
      return { data: null, message: "Message sent successfully! We'll get back to you soon." }
    }),
  ]
}
