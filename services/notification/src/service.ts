import { chatUrlOf, defineService, type Logger } from '@voxscribe/service'
import type { ChatChannels } from './chat/chat.ts'
import { openTwilio } from './chat/twilio.ts'
import { createTwilioDocuments, type TwilioDocuments } from './chat/twilio-documents.ts'
import { openWhatsApp } from './chat/whatsapp.ts'
import { createAnswers } from './delivery/answers.ts'
import { createClaims } from './delivery/claims.ts'
import { createDeliveries } from './delivery/deliveries.ts'
import { createOutbound } from './delivery/outbound.ts'
import { createPeople } from './delivery/people.ts'
import { createHandlers } from './handlers.ts'
import { openMailer } from './mail/mailer.ts'
import { notificationRoutes } from './routes.ts'
import { type NotificationSettings, notificationSettings } from './settings.ts'

/** WhatsApp replies, e-mail, contact form. */
export const notificationService = defineService({
  name: 'notification',
  settings: notificationSettings,
  build: ({ settings, documents, rateLimits, log }) => {
    const people = createPeople(documents)
    const deliveries = createDeliveries(documents, settings.SEND_LEASE)
    const mailer = openMailer({ smtpUrl: settings.SMTP_URL, from: settings.MAIL_FROM })
    const now = () => new Date()
    const { PUBLIC_URL: publicUrl, SUPPORT_EMAIL: supportEmail } = settings
    const files = createTwilioDocuments(documents, publicUrl, now)
    const channels = openChannels(settings, files, log)
    const outbound = createOutbound({ channels, mailer, deliveries, log })
    const answers = createAnswers({ documents, deliveries, outbound, people, publicUrl, now })
    return {
      handlers: createHandlers({
        outbound,
        answers,
        people,
        claims: createClaims(documents, now),
        publicUrl,
        supportEmail,
        whatsappNumber: settings.WHATSAPP_NUMBER,
        chatUrl: chatUrlOf(settings),
        now,
      }),
      routes: notificationRoutes(documents, rateLimits('contact', settings.RATE_LIMIT_CONTACT)),
      mount: app => files.mount(app),
      close: async () => mailer.close(),
    }
  },
})

function openChannels(settings: NotificationSettings, files: TwilioDocuments, log: Logger): ChatChannels {
  const timeoutMs = settings.CHAT_TIMEOUT
  const whatsapp = openWhatsApp({
    graphUrl: settings.WHATSAPP_GRAPH_URL,
    version: settings.WHATSAPP_GRAPH_VERSION,
    phoneNumberId: settings.WHATSAPP_PHONE_NUMBER_ID,
    accessToken: settings.WHATSAPP_ACCESS_TOKEN,
    timeoutMs,
    log,
  })
  const {
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_WHATSAPP_NUMBER: number,
    TWILIO_API_URL: apiUrl,
  } = settings
  if (!accountSid || !authToken || !number) return { whatsapp }
  const statusCallback = `${settings.PUBLIC_URL}/webhooks/twilio`
  const { publish } = files
  const options = { apiUrl, accountSid, authToken, number, timeoutMs, statusCallback, publish, log }
  return { whatsapp, twilio: openTwilio(options) }
}
