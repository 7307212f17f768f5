import { baseSettings, onOff, port, publicUrl } from '@voxscribe/service'
import { z } from 'zod'

const { MONGO_URL, ...shared } = baseSettings.pick({
  PORT: true,
  DATA_DIR: true,
  DEAD_LETTER_TTL: true,
  LOG_FILE: true,
  LOG_LEVEL: true,
  MANAGEMENT_PORT: true,
  MONGO_URL: true,
  MONGO_DB_PREFIX: true,
  RABBITMQ_URL: true,
}).shape

/** Settings of the one-process start itself; the services read theirs from the same environment. */
export const localSettings = z.object({
  ...shared,
  MONGO_URL: MONGO_URL.optional(),
  PUBLIC_URL: publicUrl.unwrap().optional(),
  SANDBOX: onOff('on').describe(
    'Whether providers without settings of their own are simulated (`npm start` only)',
  ),
  SANDBOX_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the sandbox listens on; `0.0.0.0` in the one-box image'),
  SANDBOX_PORT: port(8090).describe('Port of the sandbox’s pages and stand-ins'),
  JWT_PRIVATE_KEY: z.string().optional(),
  WHATSAPP_ACCESS_TOKEN: z.string().optional(),
  WHATSAPP_GRAPH_URL: z.string().optional(),
  TELEGRAM_BOT_TOKEN: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_API_URL: z.string().optional(),
  SMTP_URL: z.string().optional(),
})
export type LocalSettings = z.output<typeof localSettings>
