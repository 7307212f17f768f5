import { setTimeout as wait } from 'node:timers/promises'
import axios from 'axios'
import type { Receipts } from '../senders/receipts.ts'
import type { IngestionSettings } from '../settings.ts'
import { type DownloadLimits, download, UnexpectedStatus } from './download.ts'
import type { Kept } from './keep.ts'
import type { Media } from './media.ts'
import { noLongerThere, TokenRefused } from './rejections.ts'

/** Twilio may post its webhook before the file can be read. */
const NOT_YET_THERE_MS = [1_000, 3_000]
const AT_ONCE = 20

const authorizationOf = ({ TWILIO_ACCOUNT_SID: user, TWILIO_AUTH_TOKEN: password }: IngestionSettings) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** An address comes out of a signed webhook; still nothing but Twilio is asked for media. */
export const isTwilios = (settings: IngestionSettings, address: string): boolean =>
  URL.parse(address)?.origin === settings.TWILIO_API_URL

/** Fetches media by their address. Our credentials go to Twilio's API, not to the store it redirects to. */
export async function fetchFromTwilio(
  settings: IngestionSettings,
  address: string,
  path: string,
  limits: DownloadLimits,
): Promise<Kept> {
  if (!isTwilios(settings, address)) throw noLongerThere()
  const authorization = authorizationOf(settings)
  const headersFor = (to: URL): Record<string, string> =>
    to.origin === settings.TWILIO_API_URL ? { authorization } : {}
  for (const delay of [...NOT_YET_THERE_MS, undefined]) {
    try {
      return await download({ url: address, provider: settings.TWILIO_API_URL, path, headersFor, limits })
    } catch (error) {
      const status = error instanceof UnexpectedStatus ? error.status : undefined
      if (status === 401) throw new TokenRefused('Twilio refused our credentials')
      if (status !== 404) throw error
      if (delay !== undefined) await wait(delay, undefined, { signal: limits.signal })
    }
  }
  throw noLongerThere()
}

/**
 * Twilio keeps media until somebody deletes them: what we have stored or refused goes. What cannot be deleted now is
 * tried again after `retryMs`. Throws then, with all that went wrong.
 */
export async function deleteAtTwilio(
  settings: IngestionSettings,
  media: Media,
  retryMs: number,
): Promise<void> {
  const problems: unknown[] = []
  await media.deleteDue(AT_ONCE, async (id, url) => {
    try {
      if (isTwilios(settings, url)) await deleteThere(settings, url)
      await media.originalGone(id)
    } catch (error) {
      problems.push(error)
      await media.originalLater(id, retryMs)
    }
  })
  if (problems.length) throw new AggregateError(problems, 'Some media could not be deleted at Twilio')
}

/**
 * Notes whose sender never became known were never fetched: at Twilio they would stay forever.
 * They join those that are to be deleted there.
 */
export async function endWaiting(receipts: Receipts, media: Media): Promise<void> {
  for (;;) {
    const over = await receipts.waitedInVain(AT_ONCE)
    for (const { _id, source, media: notes } of over) {
      const there = source.channel === 'twilio' ? notes : []
      for (const { mediaId, providerMediaId } of there) await media.neverFetched(mediaId, providerMediaId)
      await receipts.waitNoMore(_id)
    }
    if (over.length < AT_ONCE) return
  }
}

async function deleteThere(settings: IngestionSettings, url: string): Promise<void> {
  const { status } = await axios.delete(url, {
    headers: { authorization: authorizationOf(settings) },
    maxRedirects: 0,
    validateStatus: null,
    timeout: settings.MEDIA_IDLE_TIMEOUT,
  })
  if (status >= 300 && status !== 404) throw new Error(`Twilio answered ${status} to a deletion`)
}
