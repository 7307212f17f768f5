import { createHmac } from 'node:crypto'

/** WhatsApp's settings, for the product and its stand-ins for WhatsApp. */
export const WHATSAPP = {
  WHATSAPP_NUMBER: '15550783881',
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_ACCESS_TOKEN: 'test-access-token',
  WHATSAPP_APP_SECRET: 'test-app-secret',
  WHATSAPP_VERIFY_TOKEN: 'test-verify-token',
}

interface Message {
  /** Digits of the number. */
  from: string
  id: string
  type: string
}

/** Returns the webhook of a message in Meta's form and with Meta's signature. */
export function webhookOf(message: Message & Record<string, unknown>) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const value = {
    messaging_product: 'whatsapp',
    metadata: {
      display_phone_number: WHATSAPP.WHATSAPP_NUMBER,
      phone_number_id: WHATSAPP.WHATSAPP_PHONE_NUMBER_ID,
    },
    contacts: [{ profile: { name: 'Ada' }, wa_id: message.from }],
    messages: [{ timestamp, ...message }],
  }
  const entry = [{ id: '102290129340398', changes: [{ field: 'messages', value }] }]
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
  const digest = createHmac('sha256', WHATSAPP.WHATSAPP_APP_SECRET).update(body).digest('hex')
  return { body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` } }
}
