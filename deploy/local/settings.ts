import { baseSettings, duration, onOff, port } from '@voxscribe/service'
import { z } from 'zod'

/** Settings of the one-process start itself; the services read theirs from the same environment. */
export const localSettings = z.object({
  PORT: port(8080),
  PUBLIC_URL: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
  DEAD_LETTER_TTL: duration('30d'),
  LOG_FILE: z.string().optional(),
  LOG_LEVEL: z.string().default('info'),
  MANAGEMENT_PORT: port(9090),
  SANDBOX: onOff('on').describe(
    'Whether providers without settings of their own are simulated (`npm start` only)',
  ),
  SANDBOX_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the sandbox listens on; in the image of one process `0.0.0.0`'),
  SANDBOX_PORT: port(8090).describe('Port of the sandbox’s pages and stand-ins'),
  MONGO_URL: z.string().optional(),
  MONGO_DB_PREFIX: baseSettings.shape.MONGO_DB_PREFIX,
  RABBITMQ_URL: z.string().optional(),
  JWT_PRIVATE_KEY: z.string().optional(),
  WHATSAPP_ACCESS_TOKEN: z.string().optional(),
  WHATSAPP_GRAPH_URL: z.string().optional(),
  TELEGRAM_BOT_TOKEN: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_API_URL: z.string().optional(),
  SMTP_URL: z.string().optional(),
})
export type LocalSettings = z.output<typeof localSettings>
