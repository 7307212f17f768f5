import { randomUUID } from 'node:crypto'
import { ContactMessageReceived } from '@voxscribe/contracts/events'
import { currentTrace, type Documents, type WithOutbox } from '@voxscribe/service'
import { Schema } from 'mongoose'

interface ContactMessage {
  name: string
  email: string
  subject: string
  message: string
}
interface ContactDocument extends ContactMessage, WithOutbox {
  _id: string
  at: Date
}

const contactSchema = new Schema<ContactDocument>({
  _id: String,
  name: String,
  email: String,
  subject: String,
  message: String,
  at: Date,
})

export function createContactMessages(documents: Documents) {
  const Messages = documents.outboxModel<ContactDocument>('contact_messages', contactSchema)
  return {
    /** Kept first: from then on a mail server that is down loses nothing. */
    keep: async (message: ContactMessage): Promise<void> => {
      const received = ContactMessageReceived.create(message, { traceId: currentTrace() })
      await Messages.create({ _id: randomUUID(), ...message, at: new Date(), outbox: [received] })
    },
  }
}
export type ContactMessages = ReturnType<typeof createContactMessages>
