import { defineService, deleteLeftovers, openBlobs } from '@voxscribe/service'
import { openTelegramApi } from '@voxscribe/service/telegram'
import { createErase } from './erase.ts'
import { createHandlers } from './handlers.ts'
import { createAdmission } from './media/admission.ts'
import { createMedia } from './media/media.ts'
import { createOnMediaAnnounced } from './media/on-media-announced.ts'
import { endWaiting } from './media/twilio-media.ts'
import { uploadRoute } from './media/upload-route.ts'
import { createUploads } from './media/uploads.ts'
import { openSenders } from './senders/note-owners.ts'
import { ingestionSettings } from './settings.ts'
import { createIntake } from './webhooks/accept.ts'
import { mountTelegram } from './webhooks/telegram-webhook.ts'
import { mountTwilio } from './webhooks/twilio-webhook.ts'
import { mountWhatsApp } from './webhooks/whatsapp-webhook.ts'

/** Receives voice notes from chats and uploads: finds the sender's account, checks the file and stores it. */
export const ingestionService = defineService({
  name: 'ingestion',
  settings: ingestionSettings,
  async build({ settings, documents, log, rateLimits }) {
    // Without a broker no other process uses this database.
    const isAlone = !settings.RABBITMQ_URL
    const blobs = openBlobs(settings)
    const media = createMedia(documents, blobs, settings.RETENTION_DAYS)
    const senders = openSenders({ documents, isAlone, now: () => new Date(), withdrawMedia: media.withdraw })
    const { accounts, receipts } = senders
    const admit = createAdmission(accounts, rateLimits, settings)
    const telegram = openTelegramApi(settings, settings.MEDIA_IDLE_TIMEOUT)
    const uploads = createUploads(documents, isAlone)
    const fetching = { settings, admit, receipts, media, telegram, blobs, log }
    const onMediaAnnounced = createOnMediaAnnounced(fetching)
    const limit = rateLimits('upload', settings.RATE_LIMIT_UPLOAD)
    const intake = createIntake(senders, settings.SUPPORT_EMAIL, settings.TEXT_MODEL !== undefined)
    await deleteLeftovers()
    const everyMs = settings.RETENTION_CHECK_EVERY
    return {
      handlers: createHandlers(senders, media, onMediaAnnounced),
      erase: createErase({ ...senders, documents, media }),
      routes: [uploadRoute({ uploads, accounts, admit, media, limit })],
      mount: app => {
        mountWhatsApp(app, { settings, ...intake, log })
        mountTwilio(app, { settings, ...intake, log })
        if (settings.TELEGRAM_BOT_TOKEN) mountTelegram(app, { settings, telegram, ...intake, log })
      },
      jobs: [
        { name: 'end-waiting', everyMs, run: () => endWaiting(settings, receipts) },
        { name: 'retention', everyMs, run: media.expire },
        { name: 'delete-temporary-leftovers', everyMs, run: deleteLeftovers },
        { name: 'delete-stored-leftovers', everyMs, run: media.deleteLeftovers },
      ],
    }
  },
})
