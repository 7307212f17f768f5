import { setTimeout as wait } from 'node:timers/promises'
import { REFUSAL_BYTES_MAX } from '@voxscribe/service'
import { http } from '@voxscribe/service/outward'
import type { Deps, FetchMedia } from '../deps.ts'
import type { IngestionSettings } from '../settings.ts'
import { forAllDue } from './due.ts'
import { download, isMissing, noLongerThere } from './file.ts'

/** Twilio may call the webhook before the file can be read. */
const NOT_YET_THERE_MS = [1_000, 3_000]

const authorizationOf = ({ TWILIO_ACCOUNT_SID: user, TWILIO_AUTH_TOKEN: password }: IngestionSettings) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Whether an address is Twilio's. It comes from a signed webhook, but other hosts are never called anyway. */
const isTwilios = (settings: IngestionSettings, address: string): boolean =>
  URL.parse(address)?.origin === settings.TWILIO_API_URL

/** Fetches media by address. Our credentials go to Twilio's API, but not to the store that it redirects to. */
export const fetchFromTwilio: FetchMedia = async ({ settings }, address, path, limits) => {
  if (!isTwilios(settings, address)) throw noLongerThere()
  const authorization = authorizationOf(settings)
  const headersFor = (to: URL): Record<string, string> =>
    to.origin === settings.TWILIO_API_URL ? { authorization } : {}
  const unauthorized = 'Twilio refused our credentials'
  const request = { url: address, provider: settings.TWILIO_API_URL, path, headersFor, unauthorized, limits }
  for (const delay of [...NOT_YET_THERE_MS, undefined]) {
    try {
      return await download(request)
    } catch (error) {
      if (!isMissing(error)) throw error
      if (delay !== undefined) await wait(delay, undefined, { signal: limits.signal })
    }
  }
  throw noLongerThere()
}

/** Deletes Twilio's copy of media, which Twilio would keep forever. */
export async function deleteAtTwilio({ settings }: Pick<Deps, 'settings'>, url: string): Promise<void> {
  if (!isTwilios(settings, url)) return
  const { status } = await http.delete(url, {
    headers: { authorization: authorizationOf(settings) },
    maxContentLength: REFUSAL_BYTES_MAX,
    signal: AbortSignal.timeout(settings.MEDIA_IDLE_TIMEOUT),
  })
  if (status >= 300 && status !== 404) throw new Error(`Twilio answered ${status} to a deletion`)
}

/** Ends the wait of notes with unknown senders: deletes their unfetched media at Twilio. Meta deletes its own. */
export const endWaiting = (deps: Pick<Deps, 'settings' | 'receipts'>): Promise<void> =>
  forAllDue(
    () => deps.receipts.expiredWaits('twilio'),
    async ({ _id, media }) => {
      for (const { providerMediaId } of media) await deleteAtTwilio(deps, providerMediaId)
      await deps.receipts.endWait(_id)
    },
  )
