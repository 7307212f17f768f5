import { chatUrlOf, defineService } from '@voxscribe/service'
import { openTwilio } from './chat/twilio.ts'
import { openWhatsApp } from './chat/whatsapp.ts'
import { createAnswers } from './delivery/answers.ts'
import { createClaims } from './delivery/claims.ts'
import { createDeliveries } from './delivery/deliveries.ts'
import { createOutbound } from './delivery/outbound.ts'
import { createPeople } from './delivery/people.ts'
import { openMailer } from './mail/mailer.ts'
import { createAccountHandlers } from './news/on-accounts.ts'
import { createBillingHandlers } from './news/on-billing.ts'
import { createNoteHandlers } from './news/on-notes.ts'
import { createSenderHandlers } from './news/on-senders.ts'
import { notificationRoutes } from './routes.ts'
import { notificationSettings } from './settings.ts'

/** WhatsApp replies, e-mail, contact form. */
export const notificationService = defineService({
  name: 'notification',
  settings: notificationSettings,
  build: ({ settings, documents, rateLimits, log }) => {
    const { PUBLIC_URL: publicUrl, SUPPORT_EMAIL: supportEmail, WHATSAPP_NUMBER: whatsappNumber } = settings
    const people = createPeople(documents)
    const deliveries = createDeliveries(documents, settings.SEND_LEASE)
    const mailer = openMailer(settings.SMTP_URL, settings.MAIL_FROM)
    const twilio = settings.TWILIO_ACCOUNT_SID ? openTwilio(settings, documents, log) : undefined
    const channels = { whatsapp: openWhatsApp(settings, log), ...(twilio && { twilio }) }
    const outbound = createOutbound({ channels, mailer, deliveries, log })
    const answers = createAnswers({ documents, deliveries, outbound, people, publicUrl })
    const claims = createClaims(documents)
    const chatUrl = chatUrlOf(settings)
    const deps = { outbound, answers, people, claims, publicUrl, supportEmail, whatsappNumber, chatUrl }
    return {
      handlers: {
        ...createNoteHandlers(deps),
        ...createSenderHandlers(deps),
        ...createAccountHandlers(deps),
        ...createBillingHandlers(deps),
      },
      routes: notificationRoutes(documents, rateLimits('contact', settings.RATE_LIMIT_CONTACT)),
      mount: app => twilio?.mount(app),
      close: async () => mailer.close(),
    }
  },
})
