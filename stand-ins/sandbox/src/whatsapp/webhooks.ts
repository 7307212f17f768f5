import type { Message, Person } from '../chat/store.ts'
import type { Deliveries } from '../webhook-delivery.ts'

export interface WhatsAppSettings {
  /** The business's number, E.164 digits. */
  number: string
  phoneNumberId: string
  /** Ids of the consecutive numbers after the first one. */
  moreNumberIds?: string[]
  accessToken: string
  appSecret: string
}

export const numbersOf = ({ number, phoneNumberId, moreNumberIds = [] }: WhatsAppSettings) =>
  new Map([phoneNumberId, ...moreNumberIds].map((id, index) => [id, String(Number(number) + index)]))

const BUSINESS_ACCOUNT_ID = '102290129340398'

const seconds = (ms: number) => String(Math.floor(ms / 1000))

/** The content of a message in WhatsApp's format; sha256 is base64 here, but hex in the response for a media id. */
function content(message: Message) {
  const { media, pressed } = message
  if (pressed) return { interactive: { type: 'button_reply', button_reply: pressed } }
  if (message.type === 'text' || !media) return { text: { body: message.text ?? '' } }
  return {
    [message.type]: {
      ...(message.text && { caption: message.text }),
      ...(message.type === 'document' && message.fileName && { filename: message.fileName }),
      mime_type: media.mimeType,
      sha256: Buffer.from(media.sha256, 'hex').toString('base64'),
      id: media.id,
      ...(message.type === 'audio' && { voice: message.voice }),
    },
  }
}

export type WebhookSender = ReturnType<typeof createWebhookSender>

/** Queues Meta's webhooks for the product. */
export function createWebhookSender(whatsapp: WhatsAppSettings, deliveries: Deliveries) {
  const numbers = numbersOf(whatsapp)
  const enqueue = (subject: string, what: object, numberId = whatsapp.phoneNumberId) => {
    const metadata = { display_phone_number: numbers.get(numberId), phone_number_id: numberId }
    const value = { messaging_product: 'whatsapp', metadata, ...what }
    const entry = [{ id: BUSINESS_ACCOUNT_ID, changes: [{ field: 'messages', value }] }]
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
    deliveries.enqueue(subject, body)
  }
  return {
    /** Queues a person's message. `times` > 1 repeats the same message id, as Meta does occasionally. */
    message(person: Person, message: Message, times = 1) {
      const value = {
        contacts: [
          {
            profile: { name: person.name },
            ...(!person.hidden && { wa_id: person.id }),
            user_id: person.userId,
          },
        ],
        messages: [
          {
            ...(!person.hidden && { from: person.id }),
            from_user_id: person.userId,
            id: message.id,
            timestamp: seconds(message.at),
            type: message.pressed ? 'interactive' : message.type,
            ...(message.quotedId && {
              context: {
                from: numbers.get(message.numberId ?? whatsapp.phoneNumberId),
                id: message.quotedId,
              },
            }),
            ...content(message),
          },
        ],
      }
      for (let time = 0; time < times; time++) enqueue(message.id, value, message.numberId)
    },
    status(person: Person, { id, numberId }: Message, status: string, at: number, error?: object) {
      const reported = {
        id,
        status,
        timestamp: seconds(at),
        ...(!person.hidden && { recipient_id: person.id }),
        recipient_user_id: person.userId,
        ...(error && { errors: [error] }),
      }
      enqueue(id, { statuses: [reported] }, numberId)
    },
  }
}
