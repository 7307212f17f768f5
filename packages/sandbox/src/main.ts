import pino from 'pino'
import { z } from 'zod'
import { startSandbox } from './index.ts'

// Runs the sandbox as a separate process; settings come from the environment.

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback)
const Settings = z.object({
  HOST: z.string().default('0.0.0.0'),
  SANDBOX_PORT: port(8090),
  SANDBOX_SMTP_PORT: port(1025),
  /** How a browser reaches the sandbox. */
  SANDBOX_URL: z.url().optional(),
  SANDBOX_SIMULATES: z
    .string()
    .default('whatsapp,stripe,mail')
    .transform(text => text.split(','))
    .pipe(z.array(z.enum(['whatsapp', 'stripe', 'mail']))),
  DATA_DIR: z.string().default('.data/sandbox'),
  LOG_LEVEL: z.string().default('info'),
  /** The product's address for webhooks. */
  APP_URL: z.url('is needed'),
  /** The product's address for a browser. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
})
const ofPart = z.string('is needed, or leave its part out of SANDBOX_SIMULATES')
const WhatsApp = z
  .object({
    WHATSAPP_NUMBER: ofPart,
    WHATSAPP_PHONE_NUMBER_ID: ofPart,
    WHATSAPP_ACCESS_TOKEN: ofPart,
    WHATSAPP_APP_SECRET: ofPart,
  })
  .transform(given => ({
    number: given.WHATSAPP_NUMBER.replace(/\D/g, ''),
    phoneNumberId: given.WHATSAPP_PHONE_NUMBER_ID,
    accessToken: given.WHATSAPP_ACCESS_TOKEN,
    appSecret: given.WHATSAPP_APP_SECRET,
  }))
const Stripe = z
  .object({ STRIPE_SECRET_KEY: ofPart, STRIPE_WEBHOOK_SECRET: ofPart })
  .transform(given => ({ secretKey: given.STRIPE_SECRET_KEY, webhookSecret: given.STRIPE_WEBHOOK_SECRET }))

const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value))
const problems: string[] = []

function read<Schema extends z.ZodType>(schema: Schema): z.output<Schema> | undefined {
  const { data, error } = schema.safeParse(given)
  problems.push(...(error?.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}\n`) ?? []))
  return data
}

const settings = read(Settings)
const simulated = settings?.SANDBOX_SIMULATES ?? []
const whatsapp = simulated.includes('whatsapp') ? read(WhatsApp) : undefined
const stripe = simulated.includes('stripe') ? read(Stripe) : undefined
if (!settings || problems.length > 0) {
  process.stderr.write(`sandbox: These settings are wrong:\n${problems.join('')}`)
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
  whatsapp,
  stripe,
  ...(simulated.includes('mail') && { mail: { smtpPort: settings.SANDBOX_SMTP_PORT } }),
})
log.info({ url: sandbox.url }, 'started')
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void sandbox.stop().then(() => process.exit(0)))
