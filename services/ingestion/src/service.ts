import { defineService, openBlobs } from '@voxscribe/service'
import { createHandlers } from './handlers.ts'
import { createMedia } from './media/media.ts'
import { withdrawMedia } from './media/retention.ts'
import { openMedia } from './media/room.ts'
import { createUploads } from './media/uploads.ts'
import { openSenders } from './senders/room.ts'
import { ingestionSettings } from './settings.ts'
import { createAccept } from './webhooks/accept.ts'
import { createReportFailure } from './webhooks/report-failure.ts'
import { mountTwilio } from './webhooks/twilio-webhook.ts'
import { mountWhatsApp } from './webhooks/whatsapp-webhook.ts'

/** Receives voice notes from chats and uploads: finds the sender's account, checks the file and stores it. */
export const ingestionService = defineService({
  name: 'ingestion',
  settings: ingestionSettings,
  async build({ settings, documents, log, rateLimits }) {
    const now = () => new Date()
    // Without a broker no other process uses this database.
    const isAlone = !settings.RABBITMQ_URL
    const blobs = openBlobs(settings)
    const media = createMedia(documents, now, settings.RETENTION_DAYS, isAlone)
    const senders = openSenders({
      documents,
      isAlone,
      now,
      withdrawMedia: (mediaId, userId) => withdrawMedia(media, mediaId, userId),
    })
    const uploads = createUploads(documents, now, isAlone)
    const limit = rateLimits('upload', settings.RATE_LIMIT_UPLOAD)
    const room = await openMedia({ settings, senders, media, uploads, blobs, limit, log })
    const accept = createAccept(senders)
    const reportFailure = createReportFailure(senders.receipts)
    return {
      handlers: createHandlers({ ...senders, media, blobs, onMediaAnnounced: room.onMediaAnnounced }),
      routes: room.routes,
      mount: app => {
        mountWhatsApp(app, { settings, accept, reportFailure, log })
        mountTwilio(app, { settings, accept, reportFailure, log })
      },
      jobs: room.jobs,
    }
  },
})
