import { defineService, deleteLeftovers, openBlobs } from '@voxscribe/service'
import { createHandlers } from './handlers.ts'
import { createMedia } from './media/media.ts'
import { createOnMediaAnnounced } from './media/on-media-announced.ts'
import { TEMPORARY_PREFIX } from './media/places.ts'
import { deleteOverdue, withdrawMedia } from './media/retention.ts'
import { deleteAtTwilio, endWaiting } from './media/twilio-media.ts'
import { uploadRoute } from './media/upload-route.ts'
import { createUploads } from './media/uploads.ts'
import { createAccounts } from './senders/accounts.ts'
import { createBindings } from './senders/bindings.ts'
import { createGiveNotes } from './senders/give-notes.ts'
import { createReceipts } from './senders/receipts.ts'
import { createRemembered } from './senders/remembered.ts'
import { createWithdrawNotes } from './senders/withdraw-notes.ts'
import { ingestionSettings } from './settings.ts'
import { createAccept } from './webhooks/accept.ts'
import { createReportFailure } from './webhooks/report-failure.ts'
import { mountTwilio } from './webhooks/twilio-webhook.ts'
import { mountWhatsApp } from './webhooks/whatsapp-webhook.ts'

/** Longer than a download is checked and stored. */
const LEFT_MS = 3_600_000

/** Takes in what people send by WhatsApp: who sent it, what it is, and where it is kept. */
export const ingestionService = defineService({
  name: 'ingestion',
  settings: ingestionSettings,
  async build({ settings, documents, log, rateLimits }) {
    const clearLeftovers = () => deleteLeftovers(TEMPORARY_PREFIX, LEFT_MS)
    await clearLeftovers()
    const now = () => new Date()
    const blobs = openBlobs(settings)
    // Without a broker no other process uses this database.
    const isAlone = !settings.RABBITMQ_URL
    const remembered = createRemembered(isAlone)
    const accounts = createAccounts(documents, remembered)
    const bindings = createBindings(documents, accounts, remembered)
    const receipts = createReceipts(documents, now)
    const media = createMedia(documents, now, settings.RETENTION_DAYS, isAlone)
    const withdrawNotes = createWithdrawNotes({
      bindings,
      receipts,
      withdrawMedia: (mediaId, userId) => withdrawMedia(media, mediaId, userId),
    })
    const giveNotes = createGiveNotes({ accounts, receipts, withdrawNotes })
    const accept = createAccept({ accounts, bindings, receipts, giveNotes, now })
    const reportFailure = createReportFailure(receipts)
    const uploads = createUploads(documents, now, isAlone)
    const limit = rateLimits('upload', settings.RATE_LIMIT_UPLOAD)
    const onMediaAnnounced = createOnMediaAnnounced({ settings, accounts, receipts, media, blobs, now, log })
    return {
      handlers: createHandlers({
        accounts,
        bindings,
        media,
        blobs,
        withdrawNotes,
        giveNotes,
        onMediaAnnounced,
      }),
      routes: [uploadRoute({ uploads, accounts, media, blobs, limit })],
      mount: app => {
        mountWhatsApp(app, { settings, accept, reportFailure, log })
        mountTwilio(app, { settings, accept, reportFailure, log })
      },
      jobs: [
        { name: 'fetch-waiting', everyMs: settings.MEDIA_RETRY_AFTER, run: onMediaAnnounced.fetchWaiting },
        {
          name: 'delete-at-twilio',
          everyMs: settings.MEDIA_RETRY_AFTER,
          run: () => deleteAtTwilio(settings, media, settings.RETENTION_CHECK_EVERY),
        },
        {
          name: 'end-waiting',
          everyMs: settings.RETENTION_CHECK_EVERY,
          run: () => endWaiting(receipts, media),
        },
        {
          name: 'retention',
          everyMs: settings.RETENTION_CHECK_EVERY,
          run: () => deleteOverdue(media, blobs, settings.RETENTION_CHECK_EVERY),
        },
        { name: 'delete-leftovers', everyMs: settings.RETENTION_CHECK_EVERY, run: clearLeftovers },
      ],
    }
  },
})
