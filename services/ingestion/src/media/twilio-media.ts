import { setTimeout as wait } from 'node:timers/promises'
import axios from 'axios'
import type { Receipts } from '../senders/receipts.ts'
import type { IngestionSettings } from '../settings.ts'
import { type DownloadLimits, download, UnexpectedStatus } from './download.ts'
import type { Kept } from './keep.ts'
import type { Media, MediaRecord } from './media.ts'
import { noLongerThere, TokenRefused } from './rejections.ts'

/** Twilio may post its webhook before the file can be read. */
const NOT_YET_THERE_MS = [1_000, 3_000]
const AT_ONCE = 20

const authorizationOf = ({ TWILIO_ACCOUNT_SID: user, TWILIO_AUTH_TOKEN: password }: IngestionSettings) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Whether an address is Twilio's. It comes from a signed webhook; media are fetched from nowhere else anyway. */
const isTwilios = (settings: IngestionSettings, address: string): boolean =>
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

/** Deletes Twilio's copy of media that are stored or rejected here: Twilio itself keeps them without limit. */
export async function deleteAtTwilio(
  settings: IngestionSettings,
  media: Media,
  { _id, original }: MediaRecord,
): Promise<void> {
  if (original && isTwilios(settings, original.url)) await deleteThere(settings, original.url)
  await media.originalGone(_id)
}

/** Ends the wait of notes whose sender stayed unknown, and has their unfetched media deleted at Twilio. */
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
