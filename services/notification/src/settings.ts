import {
  baseSettings,
  chatAddressSettings,
  chatProviderChecks,
  chatProviderSettings,
  duration,
  hooksAllowPrivate,
  offerSettings,
  oidcSettings,
  origins,
  publicUrl,
  rate,
  serviceUrl,
  signUp,
  supportEmail,
  textModel,
  url,
  whole,
} from '@voxscribe/service'
import { z } from 'zod'

const TWILIO = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_WHATSAPP_NUMBER'] as const

/** `Name <someone@example.com>`, or the address alone. */
const mailbox = z
  .string()
  .regex(
    /^([^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    'must be such as Name <name@example.com>',
  )

const Prices = z.partialRecord(
  z.enum(['text', 'file', 'template']),
  z.record(z.string().regex(/^([A-Z]{2}|unknown|\*)$/), z.number().min(0)),
)
export type MessagePrices = z.infer<typeof Prices>

export const notificationSettings = baseSettings
  .extend(chatProviderSettings)
  .extend(chatAddressSettings)
  .extend({
    TEXT_MODEL: textModel,
    WHATSAPP_TEMPLATE: z
      .string()
      .regex(/^[a-z0-9_]{1,512}:[a-z]{2,3}(_[A-Z]{2})?$/, 'must be such as voice_note_text:en')
      .optional()
      .describe('Approved template, name and language, that delivers a text after 24 hours as its `{{1}}`'),
    WHATSAPP_MESSAGES_PER_SECOND: whole(80, { min: 1 }).describe(
      'Most messages that a process sends from each number per second; Meta allows a number 80, including incoming ones',
    ),
    TWILIO_TEMPLATE: z
      .string()
      .regex(/^HX[0-9a-f]{32}$/, 'must be the SID of a content template, HX and 32 digits')
      .optional()
      .describe('The same for Twilio: SID of the approved content template'),
    CHAT_TIMEOUT: duration('15s').describe('How long one call to WhatsApp, Twilio or Telegram may take'),
    TELEGRAM_CHAT_URL: url
      .default('https://t.me')
      .describe('Address that opens Telegram chats in a browser; the bot’s name is appended'),
    SEND_LEASE: duration('20s').describe(
      'How long a process that sends a message may be silent before another one sends it',
    ),
    MESSAGE_PRICES: z
      .string()
      .transform((text, context) => {
        try {
          return Prices.parse(JSON.parse(text))
        } catch {
          context.addIssue({
            code: 'custom',
            message: 'must be JSON such as {"template":{"DE":0.05,"*":0.04}}',
          })
          return z.NEVER
        }
      })
      .optional()
      .describe(
        'US dollars per chat message sent, by kind (`text`, `file`, `template`) and country (ISO 3166-1 alpha-2; `*`: all others), as JSON: for the metric of its cost; unset: messages are only counted',
      ),
    SMTP_URL: z
      .string('is needed')
      .pipe(
        z.url({
          protocol: /^smtps?$/,
          hostname: /./,
          error: 'must be an address such as smtp://user:password@host:587',
        }),
      )
      .describe('Mail server, `smtp://user:password@host:587`; unset (`npm start` only): sandbox inbox'),
    MAIL_FROM: mailbox
      .default('Voxscribe <no-reply@voxscribe.example>')
      .describe('Sender of mails: `Name <name@example.com>`'),
    SUPPORT_EMAIL: supportEmail,
    SIGN_UP: signUp,
    OIDC_ONLY: oidcSettings.OIDC_ONLY,
    PUBLIC_URL: publicUrl,
    ...offerSettings,
    BILLING_URL: serviceUrl('billing'),
    HOOKS_ALLOW_PRIVATE: hooksAllowPrivate,
    HOOKS_ALLOW_ORIGINS: origins.describe(
      'Origins that hooks may lead to anyway, such as the sandbox’s; separated by commas',
    ),
    HOOK_TIMEOUT: duration('15s').describe('Total time of one delivery to a hook'),
    RATE_LIMIT_HOOKS: rate('30/1m').describe('Tests and repeats of deliveries per person'),
    RATE_LIMIT_CONTACT: rate('10/1h').describe('Messages to support per address'),
  })
  .check(...chatProviderChecks)
  .superRefine((settings, context) => {
    const missing = TWILIO.filter(name => settings[name] === undefined)
    if (missing.length === TWILIO.length) return
    for (const name of missing) {
      context.addIssue({ code: 'custom', path: [name], message: 'is needed for Twilio' })
    }
  })
export type NotificationSettings = z.output<typeof notificationSettings>
