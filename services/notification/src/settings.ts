import { baseSettings, duration, origin, rate } from '@voxscribe/service'
import { z } from 'zod'

const WHATSAPP = ['WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_ACCESS_TOKEN'] as const
const TWILIO = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_WHATSAPP_NUMBER'] as const

/** `Name <someone@example.com>`, or the address alone. */
const mailbox = z
  .string()
  .regex(
    /^([^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    'must be such as Name <name@example.com>',
  )

export const notificationSettings = baseSettings
  .extend({
    WHATSAPP_PHONE_NUMBER_ID: z.string().optional(),
    WHATSAPP_ACCESS_TOKEN: z.string().optional(),
    WHATSAPP_GRAPH_URL: origin.default('https://graph.facebook.com'),
    WHATSAPP_GRAPH_VERSION: z
      .string()
      .regex(/^v\d+\.\d+$/, 'must be a version such as v26.0')
      .default('v26.0'),
    TWILIO_ACCOUNT_SID: z.string().optional(),
    TWILIO_AUTH_TOKEN: z.string().optional(),
    /** E.164, with or without `+`. */
    TWILIO_WHATSAPP_NUMBER: z
      .string()
      .regex(/^\+?\d{7,15}$/, 'must be a number such as +14155238886')
      .optional(),
    TWILIO_API_URL: origin.default('https://api.twilio.com'),
    /** How long one call to WhatsApp or Twilio may take. */
    CHAT_TIMEOUT: duration('15s'),
    SMTP_URL: z.string('is needed').regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://'),
    MAIL_FROM: mailbox.default('Voxscribe <no-reply@voxscribe.example>'),
    SUPPORT_EMAIL: z.email('must be an e-mail address').default('support@voxscribe.example'),
    PUBLIC_URL: origin.default('http://localhost:8080'),
    RATE_LIMIT_CONTACT: rate('10/1h'),
  })
  .superRefine((settings, context) => {
    for (const group of [WHATSAPP, TWILIO]) {
      const missing = group.filter(name => settings[name] === undefined)
      if (missing.length === group.length) continue
      for (const name of missing) {
        context.addIssue({ code: 'custom', path: [name], message: `is needed beside ${group[0]}` })
      }
    }
  })
export type NotificationSettings = z.output<typeof notificationSettings>
