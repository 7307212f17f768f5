import { defineService, deleteLeftovers, openBlobs } from '@voxscribe/service'
import { createAccept } from './accept.ts'
import { createAccounts } from './accounts.ts'
import { createBindings } from './bindings.ts'
import { createMedia } from './media.ts'
import { createOnAccountNews } from './on-account-news.ts'
import { createOnMediaAnnounced, DOWNLOAD_PREFIX } from './on-media-announced.ts'
import { createReceipts } from './receipts.ts'
import { deleteMedium, deleteOverdue } from './retention.ts'
import { ingestionSettings } from './settings.ts'
import { mountTwilio } from './twilio-webhook.ts'
import { mountWhatsApp } from './whatsapp-webhook.ts'

/** Longer than a download is checked and stored. */
const LEFT_MS = 3_600_000

/** Takes in what people send by WhatsApp: who sent it, what it is, and where it is kept. */
export const ingestionService = defineService({
  name: 'ingestion',
  settings: ingestionSettings,
  build({ settings, documents, log }) {
    const now = () => new Date()
    const blobs = openBlobs(settings)
    const accounts = createAccounts(documents)
    const bindings = createBindings(documents, accounts)
    const receipts = createReceipts(documents, now)
    const media = createMedia(documents, now, settings.RETENTION_DAYS)
    const accept = createAccept({ accounts, bindings, receipts })
    const onAccountNews = createOnAccountNews({ accounts, bindings, receipts })
    const mediaAnnounced = createOnMediaAnnounced({ settings, accounts, receipts, media, blobs, log })
    return {
      handlers: {
        UserRegistered: onAccountNews,
        UserUpdated: onAccountNews,
        MediaAnnounced: mediaAnnounced.handle,
        TranscriptionDeleted: event => deleteMedium(media, blobs, event.data.mediaId),
      },
      givenUp: { MediaAnnounced: mediaAnnounced.givenUp },
      mount: app => {
        mountWhatsApp(app, { settings, accept, log })
        mountTwilio(app, { settings, accept, log })
      },
      jobs: [
        {
          name: 'retention',
          everyMs: settings.RETENTION_CHECK_EVERY,
          run: () => deleteOverdue(media, blobs),
        },
        {
          name: 'what a killed process has left',
          everyMs: settings.RETENTION_CHECK_EVERY,
          run: () => deleteLeftovers(DOWNLOAD_PREFIX, LEFT_MS),
        },
      ],
    }
  },
})
