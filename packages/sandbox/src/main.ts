import pino from 'pino'
import { z } from 'zod'
import { startSandbox } from './index.ts'

// The sandbox as a process of its own; settings come from the environment.

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback)
const simulated = z.enum(['whatsapp', 'stripe', 'mail'])
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
    .pipe(z.array(simulated)),
  DATA_DIR: z.string().default('.data/sandbox'),
  LOG_LEVEL: z.string().default('info'),
  /** Where the sandbox reaches the product, for webhooks. */
  APP_URL: z.url('is needed'),
  /** Where a browser reaches the product. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  WHATSAPP_NUMBER: z
    .string()
    .transform(text => text.replace(/\D/g, ''))
    .optional(),
  WHATSAPP_PHONE_NUMBER_ID: z.string().optional(),
  WHATSAPP_ACCESS_TOKEN: z.string().optional(),
  WHATSAPP_APP_SECRET: z.string().optional(),
  WHATSAPP_VERIFY_TOKEN: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
})

const NEEDED = {
  whatsapp: [
    'WHATSAPP_NUMBER',
    'WHATSAPP_PHONE_NUMBER_ID',
    'WHATSAPP_ACCESS_TOKEN',
    'WHATSAPP_APP_SECRET',
    'WHATSAPP_VERIFY_TOKEN',
  ],
  stripe: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  mail: [],
} as const

/** The settings, or an end with a line for each that is wrong. */
function readSettings() {
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value))
  const { data, error } = Settings.safeParse(given)
  const missing = data?.SANDBOX_SIMULATES.flatMap(part => NEEDED[part].filter(name => !data[name])) ?? []
  const problems = [
    ...(error?.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`) ?? []),
    ...missing.map(name => `${name}: is needed, or leave its part out of SANDBOX_SIMULATES`),
  ]
  if (data && !problems.length) return data
  process.stderr.write(`sandbox: These settings are wrong:\n${problems.map(line => `  ${line}\n`).join('')}`)
  process.exit(1)
}

const settings = readSettings()
const needed = (name: (typeof NEEDED)['whatsapp' | 'stripe'][number]) => settings[name] ?? ''
const has = (part: z.output<typeof simulated>) => settings.SANDBOX_SIMULATES.includes(part)
const log = pino({ level: settings.LOG_LEVEL, base: { service: 'sandbox' } })
const sandbox = await startSandbox({
  host: settings.HOST,
  port: settings.SANDBOX_PORT,
  dataDir: settings.DATA_DIR,
  appUrl: settings.APP_URL,
  publicUrl: settings.SANDBOX_URL,
  appPublicUrl: settings.PUBLIC_URL,
  log,
  ...(has('whatsapp') && {
    whatsapp: {
      number: needed('WHATSAPP_NUMBER'),
      phoneNumberId: needed('WHATSAPP_PHONE_NUMBER_ID'),
      accessToken: needed('WHATSAPP_ACCESS_TOKEN'),
      appSecret: needed('WHATSAPP_APP_SECRET'),
      verifyToken: needed('WHATSAPP_VERIFY_TOKEN'),
    },
  }),
  ...(has('stripe') && {
    stripe: { secretKey: needed('STRIPE_SECRET_KEY'), webhookSecret: needed('STRIPE_WEBHOOK_SECRET') },
  }),
  ...(has('mail') && { mail: { smtpPort: settings.SANDBOX_SMTP_PORT } }),
})
log.info({ url: sandbox.url }, 'started')
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void sandbox.stop().then(() => process.exit(0)))
