import { RETENTION_DAYS } from '@voxscribe/contracts/business'
import { baseSettings, blobSettings, duration, origin, whole } from '@voxscribe/service'
import { z } from 'zod'

const host = /^(\*\.)?[a-z\d.-]+$/i

/** Hosts that may see our WhatsApp token besides the Graph API itself: a list such as `*.fbsbx.com, example.com`. */
const hosts = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform(text => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      list => list.every(entry => host.test(entry)),
      'must be hosts such as *.example.com, separated by commas',
    )

export const ingestionSettings = baseSettings
  .extend(blobSettings.shape)
  .extend({
    WHATSAPP_PHONE_NUMBER_ID: z.string('is needed'),
    WHATSAPP_ACCESS_TOKEN: z.string('is needed'),
    WHATSAPP_APP_SECRET: z.string('is needed'),
    WHATSAPP_VERIFY_TOKEN: z.string('is needed'),
    WHATSAPP_GRAPH_URL: origin.default('https://graph.facebook.com'),
    WHATSAPP_GRAPH_VERSION: z
      .string()
      .regex(/^v\d+\.\d+$/, 'must be a version such as v26.0')
      .default('v26.0'),
    WHATSAPP_MEDIA_HOSTS: hosts('*.fbsbx.com,*.whatsapp.net'),
    TWILIO_ACCOUNT_SID: z.string().optional(),
    TWILIO_AUTH_TOKEN: z.string().optional(),
    TWILIO_WHATSAPP_NUMBER: z.string().optional(),
    TWILIO_API_URL: origin.default('https://api.twilio.com'),
    /** Twilio signs the address it was told to post to. */
    PUBLIC_URL: origin.default('http://localhost:8080'),
    RETENTION_DAYS: whole(RETENTION_DAYS, { max: 3650 }),
    MEDIA_DOWNLOAD_TIMEOUT: duration('60s'),
    /** Longest time without a single byte. */
    MEDIA_IDLE_TIMEOUT: duration('15s'),
    RETENTION_CHECK_EVERY: duration('10m'),
  })
  .superRefine((settings, context) => {
    if (!settings.TWILIO_ACCOUNT_SID === !settings.TWILIO_AUTH_TOKEN) return
    const missing = settings.TWILIO_ACCOUNT_SID ? 'TWILIO_AUTH_TOKEN' : 'TWILIO_ACCOUNT_SID'
    context.addIssue({ code: 'custom', path: [missing], message: 'is needed for Twilio' })
  })
export type IngestionSettings = z.output<typeof ingestionSettings>
