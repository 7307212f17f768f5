import { defineService, deleteLeftovers, openBlobs } from '@voxscribe/service'
import { createHandlers } from './handlers.ts'
import { createMedia } from './media/media.ts'
import { createOnMediaAnnounced } from './media/on-media-announced.ts'
import { TEMPORARY_PREFIX } from './media/places.ts'
import { expire, withdrawMedia } from './media/retention.ts'
import { endWaiting } from './media/twilio-media.ts'
import { uploadRoute } from './media/upload-route.ts'
import { createUploads } from './media/uploads.ts'
import { openSenders } from './senders/room.ts'
import { ingestionSettings } from './settings.ts'
import { createIntake } from './webhooks/accept.ts'
import { mountTwilio } from './webhooks/twilio-webhook.ts'
import { mountWhatsApp } from './webhooks/whatsapp-webhook.ts'

/** Longer than any download takes to check and store. */
const LEFT_MS = 3_600_000

/** Receives voice notes from chats and uploads: finds the sender's account, checks the file and stores it. */
export const ingestionService = defineService({
  name: 'ingestion',
  settings: ingestionSettings,
  async build({ settings, documents, log, rateLimits }) {
    const now = () => new Date()
    // Without a broker no other process uses this database.
    const isAlone = !settings.RABBITMQ_URL
    const blobs = openBlobs(settings)
    const media = createMedia(documents, now, settings.RETENTION_DAYS)
    const senders = openSenders({
      documents,
      isAlone,
      now,
      withdrawMedia: (mediaId, userId) => withdrawMedia(media, mediaId, userId),
    })
    const uploads = createUploads(documents, now, isAlone)
    const limit = rateLimits('upload', settings.RATE_LIMIT_UPLOAD)
    const { accounts, receipts } = senders
    const onMediaAnnounced = createOnMediaAnnounced({ settings, accounts, receipts, media, blobs, now, log })
    const intake = createIntake(senders)
    const clearLeftovers = () => deleteLeftovers(TEMPORARY_PREFIX, LEFT_MS)
    await clearLeftovers()
    const everyMs = settings.RETENTION_CHECK_EVERY
    return {
      handlers: createHandlers({ ...senders, media, blobs, onMediaAnnounced }),
      routes: [uploadRoute({ uploads, accounts, media, blobs, limit })],
      mount: app => {
        mountWhatsApp(app, { settings, ...intake, log })
        mountTwilio(app, { settings, ...intake, log })
      },
      jobs: [
        { name: 'end-waiting', everyMs, run: () => endWaiting(settings, receipts) },
        {
          name: 'retention',
          everyMs,
          run: () => media.expire(everyMs, record => expire(media, blobs, record)),
        },
        { name: 'delete-leftovers', everyMs, run: clearLeftovers },
      ],
    }
  },
})
