import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  chatAddressSettings,
  deadLetterTtl,
  httpSettings,
  offerSettings,
  oidcSettings,
  onOff,
  origins,
  publicUrl,
  retentionDays,
  serviceUrl,
  signUp,
  supportEmail,
  trustProxy,
  url,
} from '@voxscribe/service'
import { z } from 'zod'

const legalUrl = (page: string) =>
  url
    .optional()
    .describe(`Your own text in place of ${page}, which describes the defaults and names no company`)

export const gatewaySettings = httpSettings.extend({
  PUBLIC_URL: publicUrl,
  TRUST_PROXY: trustProxy.describe(
    'Proxies whose `X-Forwarded-For` is trusted: a number of hops, `true`, or addresses, as Express’ `trust proxy`',
  ),
  CORS_ORIGINS: origins.describe('Other origins that may call the API from a browser, separated by commas'),
  WEB_DIR: z
    .string()
    .refine(folder => existsSync(join(folder, 'index.html')), 'must be a folder with an index.html')
    .default('web/dist')
    .describe('The built web application'),
  AUTH_URL: serviceUrl('auth'),
  BILLING_URL: serviceUrl('billing'),
  INGESTION_URL: serviceUrl('ingestion'),
  TRANSCRIPTION_URL: serviceUrl('transcription'),
  NOTIFICATION_URL: serviceUrl('notification'),
  ...chatAddressSettings,
  SUPPORT_EMAIL: supportEmail,
  SIGN_UP: signUp,
  ...oidcSettings,
  ...offerSettings,
  RETENTION_DAYS: retentionDays,
  DEAD_LETTER_TTL: deadLetterTtl,
  PRIVACY_URL: legalUrl('`/privacy`'),
  TERMS_URL: legalUrl('`/terms`'),
  COOKIES_URL: legalUrl('`/cookies`'),
  API_DOCS: onOff('off').describe('Whether the API can be read and tried at `/api/docs`; not for production'),
})
export type GatewaySettings = z.output<typeof gatewaySettings>
