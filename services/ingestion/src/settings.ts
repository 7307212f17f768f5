import {
  baseSettings,
  blobChecks,
  blobSettings,
  chatProviderChecks,
  chatProviderSettings,
  duration,
  publicUrl,
  rate,
  retentionDays,
  serviceUrl,
  supportEmail,
  textModel,
  whole,
} from '@voxscribe/service'
import { z } from 'zod'

const HOST = /^(\*\.)?[a-z\d.-]+$/i

/** Hosts besides the Graph API that receive our WhatsApp token, such as `*.fbsbx.com, example.com`. */
const hosts = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform(text => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      list => list.every(entry => HOST.test(entry)),
      'must be hosts such as *.example.com, separated by commas',
    )

export const ingestionSettings = baseSettings
  .extend(blobSettings.shape)
  .extend({
    ...chatProviderSettings,
    TEXT_MODEL: textModel,
    WHATSAPP_APP_SECRET: z
      .string('is needed')
      .describe('Signs Meta’s webhooks; from the app’s basic settings'),
    WHATSAPP_VERIFY_TOKEN: z
      .string('is needed')
      .describe('Any text you choose; Meta sends it back when the webhook is set up'),
    WHATSAPP_MEDIA_HOSTS: hosts('*.fbsbx.com,*.whatsapp.net').describe(
      'Hosts besides the Graph API that get our token when media are fetched, separated by commas',
    ),
    PUBLIC_URL: publicUrl,
    TRANSCRIPTION_URL: serviceUrl('transcription'),
    SUPPORT_EMAIL: supportEmail,
    RETENTION_DAYS: retentionDays,
    RATE_LIMIT_UPLOAD: rate('120/1h').describe('Files sent by the page or the API per person'),
    NOTES_PER_DAY: whole(1).unwrap().optional().meta({
      description: 'Notes that a person may send within 24 hours, by chat, page and API together',
      fallback: 'as many as they like',
    }),
    BYTES_PER_DAY: whole(1).unwrap().optional().meta({
      description:
        'Bytes of files that a person may send within 24 hours; the file that exceeds them is still accepted',
      fallback: 'as many as they like',
    }),
    MEDIA_DOWNLOAD_TIMEOUT: duration('60s').describe('How long one download of a note may take'),
    MEDIA_IDLE_TIMEOUT: duration('15s').describe('How long a download may go without a single byte'),
    RETENTION_CHECK_EVERY: duration('10m').describe('How often expired audio is looked for'),
  })
  .check(...chatProviderChecks, ...blobChecks)
  .superRefine((settings, context) => {
    if (!settings.TWILIO_ACCOUNT_SID === !settings.TWILIO_AUTH_TOKEN) return
    const missing = settings.TWILIO_ACCOUNT_SID ? 'TWILIO_AUTH_TOKEN' : 'TWILIO_ACCOUNT_SID'
    context.addIssue({ code: 'custom', path: [missing], message: 'is needed for Twilio' })
  })
export type IngestionSettings = z.output<typeof ingestionSettings>
