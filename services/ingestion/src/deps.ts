import { openBlobs, type Parts } from '@voxscribe/service'
import { openTelegramApi } from '@voxscribe/service/telegram'
import { createAdmission, createUploadLimit } from './media/admission.ts'
import type { DownloadLimits, Kept } from './media/file.ts'
import { createMedia } from './media/media.ts'
import { createTranscriptionCalls } from './media/transcription-calls.ts'
import { createUploads } from './media/uploads.ts'
import { openSenders } from './senders/note-owners.ts'
import type { IngestionSettings } from './settings.ts'

export type Deps = ReturnType<typeof openDeps>
/** Stores a messenger's media in the file `path`. Throws Rejected, TokenRefused, or a temporary error. */
export type FetchMedia = (deps: Deps, id: string, path: string, limits: DownloadLimits) => Promise<Kept>

/** Opens the dependencies of ingestion's handlers, calls, webhooks and jobs. */
export function openDeps({ settings, documents, log, rateLimits }: Parts<IngestionSettings>) {
  const blobs = openBlobs(settings)
  const media = createMedia(documents, blobs, settings.RETENTION_DAYS)
  const senders = openSenders({ documents, now: () => new Date(), withdrawMedia: media.withdraw })
  return {
    settings,
    documents,
    log,
    blobs,
    media,
    ...senders,
    admit: createAdmission(senders.accounts, rateLimits, settings),
    telegram: openTelegramApi(settings, settings.MEDIA_IDLE_TIMEOUT),
    ...createTranscriptionCalls(settings.TRANSCRIPTION_URL, log),
    uploads: createUploads(documents),
    uploadLimit: createUploadLimit(rateLimits, settings.RATE_LIMIT_UPLOAD),
  }
}
