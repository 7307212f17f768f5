import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/business'
import { type EventOf, MediaReceived, MediaRejected, type Reason } from '@voxscribe/contracts/events'
import { type Blobs, counter, histogram, inSpan, type Logger } from '@voxscribe/service'
import type { Accounts } from '../senders/accounts.ts'
import { receiptId } from '../senders/inbound.ts'
import type { Receipts } from '../senders/receipts.ts'
import type { IngestionSettings } from '../settings.ts'
import { type Kept, TooLarge } from './keep.ts'
import type { Media } from './media.ts'
import { mediaMimeOf } from './media-kind.ts'
import { objectKeyOf, TEMPORARY_PREFIX } from './places.ts'
import { DOWNLOAD_FAILED, empty, notMedia, Rejected, tooLarge } from './rejections.ts'
import { fetchFromTwilio } from './twilio-media.ts'
import { fetchFromWhatsApp, TokenRefused } from './whatsapp-media.ts'

type Announced = EventOf<'MediaAnnounced'>

const fetchFrom: Record<Announced['data']['provider'], typeof fetchFromWhatsApp> = {
  whatsapp: fetchFromWhatsApp,
  twilio: fetchFromTwilio,
}

interface Deps {
  settings: IngestionSettings
  accounts: Accounts
  receipts: Receipts
  media: Media
  blobs: Blobs
  log: Logger
}

const downloadSeconds = histogram({
  name: 'media_download_duration_seconds',
  help: 'Time to fetch, check and store a medium',
  labelNames: ['provider'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
})
const rejections = counter({
  name: 'media_rejected_total',
  help: 'Media that did not become notes',
  labelNames: ['code'],
})

/** Fetches an announced medium, checks what it really is, and stores it. */
export function createOnMediaAnnounced(deps: Deps) {
  const { media, log } = deps
  return {
    async handle(event: Announced): Promise<void> {
      if (await media.isSettled(event.data.mediaId)) return
      const path = join(tmpdir(), `${TEMPORARY_PREFIX}${event.data.mediaId}-${randomUUID()}`)
      const ended = downloadSeconds.startTimer({ provider: event.data.provider })
      try {
        await store(deps, event, path)
        ended()
      } catch (error) {
        if (error instanceof TokenRefused)
          log.error({ err: error }, 'WhatsApp does not accept our access token')
        if (!(error instanceof Rejected)) throw error
        await reject(deps, event, error.reason, error.bytes)
      } finally {
        await rm(path, { force: true })
      }
    },
    givenUp: (event: Announced) => reject(deps, event, DOWNLOAD_FAILED, 0),
  }
}

async function store(deps: Deps, event: Announced, path: string): Promise<void> {
  const { media, blobs, accounts } = deps
  const { mediaId, userId, fileName, source } = event.data
  const { bytes, sha256 } = await fetchTo(deps, event, path)
  if (!bytes) throw empty()
  await checkHash(deps, event, sha256)
  const mime = await mediaMimeOf(path)
  if (!mime) throw notMedia(bytes)
  const objectKey = objectKeyOf(mediaId, new Date(event.occurredAt))
  await blobs.putFile(objectKey, path, bytes)
  const language = (await accounts.byId(userId))?.language ?? 'auto'
  const received = { mediaId, userId, objectKey, mime, bytes, sha256, fileName, language, source }
  const isWanted = await media.stored(mediaId, userId, objectKey, MediaReceived.causedBy(event, received))
  if (!isWanted) await blobs.delete(objectKey)
}

async function fetchTo({ settings }: Deps, { data }: Announced, path: string): Promise<Kept> {
  const limits = {
    maxBytes: MAX_FILE_BYTES,
    idleMs: settings.MEDIA_IDLE_TIMEOUT,
    signal: AbortSignal.timeout(settings.MEDIA_DOWNLOAD_TIMEOUT),
  }
  try {
    return await inSpan(`download from ${data.provider}`, () =>
      fetchFrom[data.provider](settings, data.providerMediaId, path, limits),
    )
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge(error.bytes) : error
  }
}

/** What came must be what the webhook announced; a difference is a broken transfer, and is fetched again. */
async function checkHash({ receipts }: Deps, { data }: Announced, sha256: string): Promise<void> {
  const receipt = await receipts.byId(receiptId(data.provider, data.providerMessageId))
  const announced = receipt?.media.find(({ mediaId }) => mediaId === data.mediaId)?.sha256
  if (!announced) return
  const hex = /^[0-9a-f]{64}$/i.test(announced)
    ? announced.toLowerCase()
    : Buffer.from(announced, 'base64').toString('hex')
  if (hex.length === 64 && hex !== sha256) throw new Error('The file is not the one that was announced')
}

async function reject({ media }: Deps, event: Announced, reason: Reason, bytes: number): Promise<void> {
  const { mediaId, userId, fileName, source } = event.data
  const rejected = MediaRejected.causedBy(event, { mediaId, userId, fileName, bytes, reason, source })
  await media.rejected(mediaId, userId, reason, rejected)
  rejections.inc({ code: reason.code })
}
