import pino from 'pino'
import { z } from 'zod'
import { refuseInPublic, startSandbox } from './index.ts'

// Runs the sandbox as a separate process; settings come from the environment.

const PARTS = ['whatsapp', 'telegram', 'stripe', 'mail'] as const
const ALL = PARTS.join()
const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value))
const simulates = (part: string) => (given.SANDBOX_SIMULATES ?? ALL).split(',').includes(part)

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback)
const needed = z.string('is needed, or leave its part out of SANDBOX_SIMULATES')
const neededBy = (part: string) => (simulates(part) ? needed : needed.default(''))
const Settings = z.object({
  HOST: z.string().default('0.0.0.0'),
  SANDBOX_PORT: port(8090),
  SANDBOX_SMTP_PORT: port(1025),
  /** The sandbox's address for a browser. */
  SANDBOX_URL: z.url().optional(),
  SANDBOX_SIMULATES: z
    .string()
    .default(ALL)
    .transform(text => text.split(','))
    .pipe(z.array(z.enum(PARTS))),
  DATA_DIR: z.string().default('.data/sandbox'),
  LOG_LEVEL: z.string().default('info'),
  /** The product's address for webhooks. */
  APP_URL: z.url('is needed'),
  /** The product's address for a browser. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  /** `on` (set by hand): allows a PUBLIC_URL that others can reach. */
  SANDBOX: z.string().optional(),
  WHATSAPP_NUMBER: neededBy('whatsapp').transform(text => text.replace(/\D/g, '')),
  WHATSAPP_PHONE_NUMBER_ID: neededBy('whatsapp'),
  WHATSAPP_PHONE_NUMBER_IDS: z.string().default(''),
  WHATSAPP_ACCESS_TOKEN: neededBy('whatsapp'),
  WHATSAPP_APP_SECRET: neededBy('whatsapp'),
  TELEGRAM_BOT_TOKEN: neededBy('telegram'),
  TELEGRAM_WEBHOOK_SECRET: neededBy('telegram'),
  STRIPE_SECRET_KEY: neededBy('stripe'),
  STRIPE_WEBHOOK_SECRET: neededBy('stripe'),
})

const { data: settings, error } = Settings.safeParse(given)
if (!settings) {
  const problems = error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}\n`)
  process.stderr.write(`sandbox: These settings are wrong:\n${problems.join('')}`)
  process.exit(1)
}

try {
  refuseInPublic(settings.PUBLIC_URL, settings.SANDBOX_SIMULATES, {}, settings.SANDBOX === 'on')
} catch (refused) {
  process.stderr.write(`sandbox: ${(refused as Error).message}`)
  process.exit(1)
}

const log = pino({ level: settings.LOG_LEVEL, base: { service: 'sandbox' } })
const sandbox = await startSandbox({
  host: settings.HOST,
  port: settings.SANDBOX_PORT,
  dataDir: settings.DATA_DIR,
  appUrl: settings.APP_URL,
  publicUrl: settings.SANDBOX_URL,
  appPublicUrl: settings.PUBLIC_URL,
  log,
  ...(simulates('whatsapp') && {
    whatsapp: {
      number: settings.WHATSAPP_NUMBER,
      phoneNumberId: settings.WHATSAPP_PHONE_NUMBER_ID,
      moreNumberIds: settings.WHATSAPP_PHONE_NUMBER_IDS.match(/\d+/g) ?? [],
      accessToken: settings.WHATSAPP_ACCESS_TOKEN,
      appSecret: settings.WHATSAPP_APP_SECRET,
    },
  }),
  ...(simulates('telegram') && {
    telegram: {
      token: settings.TELEGRAM_BOT_TOKEN,
      secret: settings.TELEGRAM_WEBHOOK_SECRET,
      username: 'voxscribe_bot',
    },
  }),
  ...(simulates('stripe') && {
    stripe: { secretKey: settings.STRIPE_SECRET_KEY, webhookSecret: settings.STRIPE_WEBHOOK_SECRET },
  }),
  ...(simulates('mail') && { mail: { smtpPort: settings.SANDBOX_SMTP_PORT } }),
})
log.info({ url: sandbox.url }, 'started')
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void sandbox.stop().then(() => process.exit(0)))
