import { MESSENGER_NAMES } from '@voxscribe/contracts/channels'
import { type EventOf, MediaDelayed, MediaReceived, MediaRejected } from '@voxscribe/contracts/events'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { LaterEachTime } from '@voxscribe/messaging'
import { counter, histogram, inSpan, temporaryPlace } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import { MESSENGERS } from '../messengers.ts'
import { type Account, noteSettingsOf } from '../senders/accounts.ts'
import {
  type Kept,
  keep,
  mediaMimeOf,
  objectKeyOf,
  Rejected,
  TEMPORARY_PREFIX,
  TokenRefused,
} from './file.ts'
import { DOWNLOAD_FAILED } from './media.ts'

type Announced = EventOf<'MediaAnnounced'>

const downloadSeconds = histogram({
  name: 'media_download_duration_seconds',
  help: 'Time to fetch, check and store a file',
  labelNames: ['provider'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
})
const rejections = counter({
  name: 'media_rejected_total',
  help: 'Media that did not become notes',
  labelNames: ['code'],
})

const failedTries = counter({
  name: 'media_fetch_failures_total',
  help: 'Failed tries to fetch a file, which is tried again',
  labelNames: ['provider', 'cause'],
})

// Starts at 0: Prometheus sees no increase in a series that first appears as 1, so its alert wouldn't fire.
for (const provider of MESSENGER_NAMES)
  for (const cause of ['token', 'trouble']) failedTries.inc({ provider, cause }, 0)

/** Meta keeps media for 7 days after its webhook. */
const LIFE_MS = 7 * 86_400_000
/** Until this age, a file other than the announced one may be a broken transfer. */
const WRONG_FILES_MS = 10 * 60_000
/** Age at which MediaDelayed is published. */
const REPORTED_AFTER_MS = 20_000

class WrongFile extends Error {
  override name = 'WrongFile'
}

/** Fetches, checks and stores an announced file, then deletes the messenger's copy. Retries while it's there. */
export function createOnMediaAnnounced(deps: Deps) {
  const { settings, admit, media, blobs, log } = deps
  return async (event: Announced): Promise<void> => {
    const { mediaId, providerMediaId, source } = event.data
    const age = Date.now() - Date.parse(event.occurredAt)
    try {
      const before = await media.byId(mediaId)
      if (!before || before.status === 'delayed') await settle(event, age)
      const { delete: deleteThere } = MESSENGERS[source.channel]
      if (deleteThere && (await media.byId(mediaId))?.status !== 'dropped')
        await deleteThere(deps, providerMediaId)
    } catch (error) {
      throw new LaterEachTime('A file or its deletion waits for its provider', undefined, { cause: error })
    }
  }

  /** Stores or rejects the media, unless they were deleted in the meantime. Throws temporary errors. */
  async function settle(event: Announced, age: number): Promise<void> {
    const { mediaId, source } = event.data
    const { path, remove } = temporaryPlace(`${TEMPORARY_PREFIX}${mediaId}-`)
    const ended = downloadSeconds.startTimer({ provider: source.channel })
    try {
      await admit(event.data.userId, current => store(event, path, current))
      ended()
    } catch (error) {
      if (error instanceof Rejected) await reject(event, error.reason, error.bytes)
      else if (age > LIFE_MS || (error instanceof WrongFile && age > WRONG_FILES_MS))
        await reject(event, reason(DOWNLOAD_FAILED))
      else await fail(event, age, error)
    } finally {
      await remove()
    }
  }

  async function reject(event: Announced, reason: Reason, bytes = 0): Promise<void> {
    const { mediaId, userId, fileName, source } = event.data
    const rejected = { mediaId, userId, fileName, bytes, reason, source }
    await media.reject(MediaRejected.causedBy(event, rejected))
    rejections.inc({ code: reason.code })
  }

  /** Counts the failed try, notifies the person if it takes long, and throws the error. */
  async function fail(event: Announced, age: number, error: unknown): Promise<never> {
    const { mediaId, userId, fileName, source } = event.data
    const isToken = error instanceof TokenRefused
    failedTries.inc({ provider: source.channel, cause: isToken ? 'token' : 'trouble' })
    if (isToken)
      log.error({ err: error, mediaId }, 'The provider does not accept our credentials; notes wait')
    // Without a token, no message can be sent either.
    else if (age > REPORTED_AFTER_MS)
      await media.delay(MediaDelayed.causedBy(event, { mediaId, userId, fileName, source }))
    throw error
  }

  async function store(
    event: Announced,
    path: string,
    current: () => Promise<Account | null>,
  ): Promise<Kept | null> {
    const { mediaId, userId, fileName, source, keptAs } = event.data
    const { bytes, sha256 } = await fetchTo(event, path)
    // An empty file is rejected, whatever hash was announced.
    if (bytes) checkHash(event.data.sha256, sha256)
    const mime = await mediaMimeOf(path, bytes)
    const objectKey = objectKeyOf(mediaId, new Date(event.occurredAt))
    // Read only now, because a choice made during a long download counts.
    const account = await current()
    const file = { objectKey, mime, bytes, sha256, fileName }
    const received = {
      mediaId,
      userId,
      receivedAt: event.occurredAt,
      ...file,
      ...noteSettingsOf(account),
      source,
    }
    const isKept = await media.store(path, MediaReceived.causedBy(event, received), account?.audio)
    if (keptAs) await media.remove(keptAs, userId, true)
    return isKept ? { bytes, sha256 } : null
  }

  async function fetchTo({ data }: Announced, path: string): Promise<Kept> {
    const { keptAs } = data
    const before = keptAs ? await media.byId(keptAs) : null
    if (before?.status === 'withdrawn' && before.objectKey) {
      return keep(await blobs.read(before.objectKey), path, { maxBytes: MAX_FILE_BYTES })
    }
    const limits = {
      maxBytes: MAX_FILE_BYTES,
      idleMs: settings.MEDIA_IDLE_TIMEOUT,
      signal: AbortSignal.timeout(settings.MEDIA_DOWNLOAD_TIMEOUT),
    }
    return inSpan(`download from ${data.source.channel}`, () =>
      MESSENGERS[data.source.channel].fetch(deps, data.providerMediaId, path, limits),
    )
  }
}

/** Compares the file with the webhook's hash. A difference is a broken transfer, which is fetched again. */
function checkHash(announced: string | null | undefined, sha256: string): void {
  if (!announced) return
  const hex = /^[0-9a-f]{64}$/i.test(announced)
    ? announced.toLowerCase()
    : Buffer.from(announced, 'base64').toString('hex')
  if (hex.length === 64 && hex !== sha256) throw new WrongFile('The file is not the one that was announced')
}
