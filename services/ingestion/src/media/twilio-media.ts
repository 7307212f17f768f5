import { setTimeout as wait } from 'node:timers/promises'
import type { IngestionSettings } from '../settings.ts'
import { type DownloadLimits, download, UnexpectedStatus } from './download.ts'
import type { Kept } from './keep.ts'
import { noLongerThere } from './rejections.ts'

/** Twilio may post its webhook before the file can be read. */
const NOT_YET_THERE_MS = [1_000, 3_000]

/** Fetches a medium by its address. Our credentials go to Twilio's API, not to the store it redirects to. */
export async function fetchFromTwilio(
  settings: IngestionSettings,
  address: string,
  path: string,
  limits: DownloadLimits,
): Promise<Kept> {
  // The address comes out of a signed webhook; still nothing but Twilio is asked for media.
  if (URL.parse(address)?.origin !== settings.TWILIO_API_URL) throw noLongerThere()
  const { TWILIO_ACCOUNT_SID: user, TWILIO_AUTH_TOKEN: password } = settings
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const headersFor = (to: URL): Record<string, string> =>
    to.origin === settings.TWILIO_API_URL ? { authorization } : {}
  for (const delay of [...NOT_YET_THERE_MS, undefined]) {
    try {
      return await download({ url: address, path, headersFor, limits })
    } catch (error) {
      const isMissing = error instanceof UnexpectedStatus && error.status === 404
      if (!isMissing) throw error
      if (delay !== undefined) await wait(delay, undefined, { signal: limits.signal })
    }
  }
  throw noLongerThere()
}
