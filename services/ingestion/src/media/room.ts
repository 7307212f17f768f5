import { type Blobs, deleteLeftovers, type Job, type Logger, type RateLimit } from '@voxscribe/service'
import type { Senders } from '../senders/room.ts'
import type { IngestionSettings } from '../settings.ts'
import type { Media } from './media.ts'
import { createOnMediaAnnounced } from './on-media-announced.ts'
import { TEMPORARY_PREFIX } from './places.ts'
import { expire } from './retention.ts'
import { deleteAtTwilio, endWaiting } from './twilio-media.ts'
import { uploadRoute } from './upload-route.ts'
import type { Uploads } from './uploads.ts'

/** Longer than any download takes to check and store. */
const LEFT_MS = 3_600_000

interface Deps {
  settings: IngestionSettings
  senders: Senders
  media: Media
  uploads: Uploads
  blobs: Blobs
  limit: RateLimit
  log: Logger
}

/** Opens the ways in which media come and go: downloads, uploads, retention. */
export async function openMedia({ settings, senders, media, uploads, blobs, limit, log }: Deps) {
  const { MEDIA_RETRY_AFTER: retryMs, RETENTION_CHECK_EVERY: everyMs } = settings
  const { accounts, receipts, now } = senders
  const onMediaAnnounced = createOnMediaAnnounced({ settings, accounts, receipts, media, blobs, now, log })
  const clearLeftovers = () => deleteLeftovers(TEMPORARY_PREFIX, LEFT_MS)
  await clearLeftovers()
  const fetchAgain = () =>
    media.workThrough('fetch', retryMs, async ({ waiting }) => waiting && onMediaAnnounced(waiting.announced))
  const deleteOriginals = () =>
    media.workThrough('deleteOriginal', everyMs, record => deleteAtTwilio(settings, media, record))
  const deleteOverdue = () => media.workThrough('expire', everyMs, record => expire(media, blobs, record))
  const jobs: Job[] = [
    { name: 'fetch-waiting', everyMs: retryMs, run: fetchAgain },
    { name: 'delete-at-twilio', everyMs: retryMs, run: deleteOriginals },
    { name: 'end-waiting', everyMs, run: () => endWaiting(receipts, media) },
    { name: 'retention', everyMs, run: deleteOverdue },
    { name: 'delete-leftovers', everyMs, run: clearLeftovers },
  ]
  return { onMediaAnnounced, jobs, routes: [uploadRoute({ uploads, accounts, media, blobs, limit })] }
}
