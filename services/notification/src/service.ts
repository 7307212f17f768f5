import { defineService, type Logger } from '@voxscribe/service'
import type { ChatChannels } from './chat.ts'
import { createContactMessages } from './contact-messages.ts'
import { createDeliveries } from './deliveries.ts'
import { openMailer } from './mailer.ts'
import { onAccounts } from './on-accounts.ts'
import { onBilling } from './on-billing.ts'
import { onContact } from './on-contact.ts'
import { onNotes } from './on-notes.ts'
import { onSenders } from './on-senders.ts'
import { createOutbound } from './outbound.ts'
import { createPeople } from './people.ts'
import { createQuotaMarks } from './quota-marks.ts'
import { notificationRoutes } from './routes.ts'
import { type NotificationSettings, notificationSettings } from './settings.ts'
import { createStrangers } from './strangers.ts'
import { openTwilio } from './twilio.ts'
import { openWhatsApp } from './whatsapp.ts'

/** WhatsApp replies, e-mail, contact form. */
export const notificationService = defineService({
  name: 'notification',
  settings: notificationSettings,
  build: ({ settings, documents, rateLimits, log }) => {
    const people = createPeople(documents)
    const deliveries = createDeliveries(documents)
    const marks = createQuotaMarks(documents)
    const strangers = createStrangers(documents)
    const messages = createContactMessages(documents)
    const mailer = openMailer({ smtpUrl: settings.SMTP_URL, from: settings.MAIL_FROM })
    const outbound = createOutbound({ channels: openChannels(settings, log), mailer, deliveries, log })
    const now = () => new Date()
    const { PUBLIC_URL: publicUrl, SUPPORT_EMAIL: supportEmail } = settings
    return {
      handlers: {
        ...onNotes({ outbound, people }),
        ...onSenders({ outbound, people, strangers, publicUrl, now }),
        ...onAccounts({ outbound, people, publicUrl }),
        ...onBilling({ outbound, people, marks, publicUrl, now }),
        ...onContact({ outbound, supportEmail }),
      },
      routes: notificationRoutes({ messages, limit: rateLimits('contact', settings.RATE_LIMIT_CONTACT) }),
      close: async () => mailer.close(),
    }
  },
})

function openChannels(settings: NotificationSettings, log: Logger): ChatChannels {
  const { WHATSAPP_PHONE_NUMBER_ID: phoneNumberId, WHATSAPP_ACCESS_TOKEN: accessToken } = settings
  const {
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_WHATSAPP_NUMBER: number,
    CHAT_TIMEOUT: timeoutMs,
  } = settings
  const { WHATSAPP_GRAPH_URL: graphUrl, WHATSAPP_GRAPH_VERSION: version } = settings
  return {
    ...(phoneNumberId && accessToken
      ? { whatsapp: openWhatsApp({ graphUrl, version, phoneNumberId, accessToken, timeoutMs, log }) }
      : {}),
    ...(accountSid && authToken && number
      ? {
          twilio: openTwilio({
            apiUrl: settings.TWILIO_API_URL,
            accountSid,
            authToken,
            number,
            timeoutMs,
            log,
          }),
        }
      : {}),
  }
}
