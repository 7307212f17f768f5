import { chatUrlOf, defineService } from '@voxscribe/service'
import type { ChatChannels } from './chat/chat.ts'
import { openTwilio } from './chat/twilio.ts'
import { createTwilioDocuments } from './chat/twilio-documents.ts'
import { openWhatsApp } from './chat/whatsapp.ts'
import { createAnswers } from './delivery/answers.ts'
import { createClaims } from './delivery/claims.ts'
import { createDeliveries } from './delivery/deliveries.ts'
import { createOutbound } from './delivery/outbound.ts'
import { createPeople } from './delivery/people.ts'
import { createHandlers } from './handlers.ts'
import { openMailer } from './mail/mailer.ts'
import { notificationRoutes } from './routes.ts'
import { notificationSettings } from './settings.ts'

/** WhatsApp replies, e-mail, contact form. */
export const notificationService = defineService({
  name: 'notification',
  settings: notificationSettings,
  build: ({ settings, documents, rateLimits, log }) => {
    const people = createPeople(documents)
    const deliveries = createDeliveries(documents, settings.SEND_LEASE)
    const mailer = openMailer(settings.SMTP_URL, settings.MAIL_FROM)
    const now = () => new Date()
    const { PUBLIC_URL: publicUrl, SUPPORT_EMAIL: supportEmail } = settings
    const files = createTwilioDocuments(documents, publicUrl, now)
    const channels: ChatChannels = { whatsapp: openWhatsApp(settings, log) }
    if (settings.TWILIO_ACCOUNT_SID) channels.twilio = openTwilio(settings, files.publish, log)
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
