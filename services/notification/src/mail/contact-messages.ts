import { randomUUID } from 'node:crypto'
import { ContactMessageReceived } from '@voxscribe/contracts/events'
import { currentTrace, type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

const ContactMessage = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  at: z.date(),
})
type ContactMessage = z.infer<typeof ContactMessage>

export function createContactMessages(documents: Documents) {
  const messages = documents.outboxModel('contact_messages', schemaOf(ContactMessage))
  return {
    /** Stored first: after that, a mail server that is down loses nothing. */
    keep: async (message: Omit<ContactMessage, '_id' | 'at'>): Promise<void> => {
      const received = ContactMessageReceived.create(message, { traceId: currentTrace() })
      await messages.create({ _id: randomUUID(), ...message, at: new Date(), outbox: [received] })
    },
  }
}
export type ContactMessages = ReturnType<typeof createContactMessages>
