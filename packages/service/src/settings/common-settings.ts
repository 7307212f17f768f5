import { isIP } from 'node:net'
import { SIGN_UP } from '@voxscribe/contracts/business'
import { RETENTION_DAYS_MAX } from '@voxscribe/contracts/limits'
import { PLANS } from '@voxscribe/contracts/plans'
import { z } from 'zod'
import { arePublicKeys } from './keys.ts'
import { duration, host, onOff, origin, pem, port, url, whole } from './settings.ts'

/** Settings of every service that serves HTTP. */
export const httpSettings = z.object({
  PORT: port(8080).describe('Port for HTTP; 0: any free one'),
  HOST: host('0.0.0.0').describe('Address to listen on, IPv4 or IPv6 (`::` is both)'),
  MANAGEMENT_PORT: port(9090).describe(
    'Port for `/healthz`, `/readyz`, `/metrics`, and on the same machine operators’ `/dead-letters`, `/admin`; never to be public',
  ),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info')
    .describe('How much is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`'),
  LOG_FILE: z
    .string()
    .optional()
    .describe('Where JSON logs go; unset: standard output (`npm start`: a file in `DATA_DIR`)'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe(
      'OpenTelemetry collector, such as `http://collector:4318`; unset: no tracing. `OTEL_EXPORTER_OTLP_HEADERS` is used, too',
    ),
  JWT_PUBLIC_KEY: pem
    .refine(arePublicKeys, 'must be public keys on the curve P-256')
    .optional()
    .describe(
      'Public half of `JWT_PRIVATE_KEY`, PEM or base64 of it; several, one after another, while keys change. Auth and `npm start` find it in the private one',
    ),
})
/** Only the gateway has this setting; it alone calls the other services. */
interface BehindProxy {
  TRUST_PROXY?: number | boolean | string
}
export type HttpSettings = z.output<typeof httpSettings> & BehindProxy

/** The bus keeps messages for this time, and the privacy page states it. */
export const deadLetterTtl = duration('30d', '49d').describe(
  'How long a message is retried, and a dead letter kept, 49 days at most: they hold transcripts and numbers',
)

/** Settings of every service that keeps documents and takes part in the event flow. */
export const baseSettings = httpSettings.extend({
  DATA_DIR: z.string().default('.data').describe('Folder for everything kept in files'),
  MONGO_URL: z
    .string('is needed')
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .describe('MongoDB 7 or later; unset (`npm start` only): embedded, under `DATA_DIR`'),
  MONGO_DB_PREFIX: z
    .string()
    .regex(/^\w{1,30}$/, 'must be letters, digits and _')
    .default('voxscribe')
    .describe('Each service has its own database: `<prefix>_<service>`'),
  RABBITMQ_URL: z
    .string()
    // Such a password would be taken for a host name.
    .regex(/^(\w+:\/\/[^@/?#]*@)?[^@]*$/, {
      error: 'must have @, /, ? and # in a password as %40, %2F, %3F and %23',
      abort: true,
    })
    .pipe(
      z.url({
        protocol: /^amqps?$/,
        hostname: /./,
        error: 'must be an address such as amqp://user:password@host:5672',
      }),
    )
    .optional()
    .describe('RabbitMQ; unset (`npm start` only): messages stay within the one process'),
  DEAD_LETTER_TTL: deadLetterTtl,
  RATE_LIMITS: onOff('on').describe('Whether too many tries are refused'),
})
export type BaseSettings = z.output<typeof baseSettings> & BehindProxy

const needed = z.string('is needed by a service in a process of its own')
/** In separate processes, services need a broker to reach each other, and auth's public key to check tokens. */
export const standaloneSettings = (name: string): z.ZodType =>
  name === 'auth'
    ? z.object({ RABBITMQ_URL: needed })
    : z.object({ RABBITMQ_URL: needed, JWT_PUBLIC_KEY: needed })

/** Addresses of WhatsApp and Twilio: ingestion gets notes from them, and notification sends answers through them. */
export const chatProviderSettings = {
  WHATSAPP_GRAPH_URL: origin
    .default('https://graph.facebook.com')
    .describe('Origin of the WhatsApp Cloud API; unset under `npm start` without a token: sandbox'),
  WHATSAPP_GRAPH_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must be a version such as v26.0')
    .default('v26.0')
    .describe('Version of the Graph API'),
  WHATSAPP_PHONE_NUMBER_ID: z
    .string()
    .optional()
    .describe('Meta’s id of the number, from the API setup page; required without WHATSAPP_PHONE_NUMBER_IDS'),
  WHATSAPP_PHONE_NUMBER_IDS: z
    .string()
    .regex(/^\s*\d+(\s*,\s*\d+)*\s*$/, 'must be ids of numbers, separated by commas')
    .optional()
    .describe(
      'Ids of several numbers of one Meta app, separated by commas: each answers the people who write to it; new people get the one with the fewest people',
    ),
  WHATSAPP_ACCESS_TOKEN: z
    .string('is needed')
    .describe('System user token with `whatsapp_business_messaging`'),
  TWILIO_ACCOUNT_SID: z.string().optional().describe('Twilio account; unset: Twilio is off'),
  TWILIO_AUTH_TOKEN: z.string().optional().describe('Signs Twilio’s webhooks and our calls'),
  TWILIO_WHATSAPP_NUMBER: z
    .string()
    .regex(/^\+?\d{7,15}$/, 'must be a number such as +14155238886')
    .optional()
    .describe('The WhatsApp sender at Twilio, E.164'),
  TWILIO_API_URL: origin.default('https://api.twilio.com').describe('Origin of Twilio’s API'),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'must be a token of BotFather, such as 123456:ABC-def')
    .optional()
    .describe('Token of the Telegram bot, from @BotFather; unset: Telegram is off'),
  TELEGRAM_API_URL: origin.default('https://api.telegram.org').describe('Origin of Telegram’s Bot API'),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{1,256}$/, 'must be 1 to 256 letters, digits, _ and -')
    .optional()
    .describe('Any text you choose; Telegram sends it back with each update'),
}

interface NumberIds {
  WHATSAPP_PHONE_NUMBER_ID?: string | undefined
  WHATSAPP_PHONE_NUMBER_IDS?: string | undefined
}
/** Returns Meta's ids of our numbers. The first one is for messages that don't name one. */
export const numberIdsOf = ({
  WHATSAPP_PHONE_NUMBER_ID: one = '',
  WHATSAPP_PHONE_NUMBER_IDS: several = '',
}: NumberIds): string[] => [...new Set(`${one},${several}`.split(',').flatMap(id => id.trim() || []))]
/** Checks of these settings together; `when` makes them run even if other settings are wrong. */
export const chatProviderChecks = [
  z.refine<NumberIds>(settings => numberIdsOf(settings).length > 0, {
    path: ['WHATSAPP_PHONE_NUMBER_ID'],
    error: 'is needed',
    when: () => true,
  }),
  // Without the secret, ingestion would refuse every update.
  z.refine<{ [name: string]: unknown }>(
    ({ TELEGRAM_BOT_TOKEN, TELEGRAM_WEBHOOK_SECRET }) =>
      !TELEGRAM_BOT_TOKEN || Boolean(TELEGRAM_WEBHOOK_SECRET),
    { path: ['TELEGRAM_WEBHOOK_SECRET'], error: 'is needed for Telegram' },
  ),
]

/** Address of the product's chat, for the page and mails. */
export const chatAddressSettings = {
  WHATSAPP_NUMBER: z
    .string()
    .regex(/^(?:\+?(?:[ ().-]*\d){7,15})?$/, 'must be a number such as +14155238886')
    .default('')
    .transform(text => text.replace(/\D/g, ''))
    .describe('Number that people write to, E.164; with several, the number of the first id'),
  SANDBOX_URL: origin
    .optional()
    .describe('How a browser reaches the sandbox; only while it stands in for WhatsApp'),
}
/** Returns the chat's address, in which `{code}` stands for the link code. */
export const chatUrlOf = (number: string, sandboxUrl?: string): string =>
  `${sandboxUrl ? `${sandboxUrl}/wa` : 'https://wa.me'}/${number}?text={code}`

/** Set if gists and translations are offered: transcription calls the model; chat services mention its commands. */
export const textModel = z
  .string()
  .optional()
  .describe(
    'Text model for summaries, translations and unclear messages in the chat, by its name at the server; unset: none of these',
  )
/** The product's public address, with which links in mails and in the chat begin. */
export const publicUrl = origin
  .default('http://localhost:8080')
  .describe('Address of Voxscribe for people: links begin with it, and Twilio signs it')
/** Whether browsers support passkeys at the product's address, which they don't if its host is an IP address. */
export function hasPasskeys(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  return !hostname.startsWith('[') && isIP(hostname) === 0
}
/** Applies to hooks and to the metadata documents of connecting programs. */
export const hooksAllowPrivate = onOff('off').describe(
  'Whether hooks may lead to private addresses and to http://, and documents of programs to private addresses: for tests only',
)
/** Address of a service. Names match the Compose and Kubernetes services. */
export const serviceUrl = (name: string) =>
  origin.default(`http://${name}:8080`).describe(`Where ${name} answers`)
/** Ingestion deletes the audio; auth and the gateway show the time. */
export const retentionDays = whole(30, { max: RETENTION_DAYS_MAX }).describe(
  'Days until stored audio is deleted; people may choose fewer',
)
/** Auth refuses accounts by this rule; the page and the chat offer only what it allows. */
export const signUp = z
  .enum(SIGN_UP, 'must be open, invited or closed')
  .default('open')
  .describe(
    'New accounts: `open`: for anyone; `invited`: by invitation from a person with an account or `npm run admin -- invite`; `closed`: none',
  )
/** Auth signs people in by these settings; the gateway passes them on to pages. */
export const oidcSettings = {
  OIDC_NAME: z
    .string()
    .trim()
    .max(60, 'must have at most 60 characters')
    .optional()
    .describe('Name of your OpenID provider on the sign-in button'),
  OIDC_ONLY: onOff('off').describe('Whether people can sign in with the provider only: `on` ends passwords'),
}
const MINUTES = /^[1-9]\d{0,6}$/
/** Minutes and plans of the installation: billing enforces them; pages, chat and mails state them. */
export const offerSettings = {
  FREE_MINUTES: z
    .string()
    .refine(text => text === 'off' || MINUTES.test(text), 'must be a whole number of minutes, or off')
    .transform(text => (text === 'off' ? null : Number(text)))
    .default(PLANS.free.minutes)
    .describe('Free minutes of an account in a month; `off`: no limit, and nothing is sold'),
  PLANS: onOff('on').describe(
    'Whether the paid plan is offered; `off`: no Stripe, and no page names a price',
  ),
}
/** `freeMinutes`: null without a limit, in which case nothing is sold either. */
export interface Offer {
  freeMinutes: number | null
  plans: boolean
}
export const offerOf = (settings: { FREE_MINUTES: number | null; PLANS: boolean }): Offer => ({
  freeMinutes: settings.FREE_MINUTES,
  plans: settings.PLANS && settings.FREE_MINUTES !== null,
})
export const supportEmail = z
  .email('must be an e-mail address')
  .default('support@voxscribe.example')
  .describe('Address that people write to, and that gets the contact form')
