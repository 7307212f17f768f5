import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { REFUSAL_BYTES_MAX } from '@voxscribe/service'
import { http } from '@voxscribe/service/outward'
import { z } from 'zod'
import type { FetchMedia } from '../deps.ts'
import type { IngestionSettings } from '../settings.ts'
import { type DownloadLimits, download, isMissing, noLongerThere, TokenRefused, tooLarge } from './file.ts'

/** Response of `GET /<version>/<media-id>`; the size is a number or a string. */
const MediaInfo = z.object({ url: z.url(), file_size: z.coerce.number().default(0) })
const GraphError = z.object({ error: z.object({ code: z.number() }) })

/** Graph's error codes for a wrong or expired token. */
const TOKEN_CODES = [0, 190]
const BAD_PARAMETER = 100

/** Fetches media by id, again if Graph's address expired. Sends the token only to Graph and the configured hosts. */
export const fetchFromWhatsApp: FetchMedia = async ({ settings }, mediaId, path, limits) => {
  const authorization = `Bearer ${settings.WHATSAPP_ACCESS_TOKEN}`
  const headersFor = (url: URL): Record<string, string> =>
    mayHaveToken(url, settings) ? { authorization } : {}
  const fetchOnce = async () => {
    const { url, file_size: declared } = await askForAddress(settings, mediaId, authorization, limits)
    if (declared > MAX_FILE_BYTES) throw tooLarge(declared)
    const unauthorized = 'the token is wrong, or the host is missing in WHATSAPP_MEDIA_HOSTS'
    return download({ url, provider: settings.WHATSAPP_GRAPH_URL, path, headersFor, unauthorized, limits })
  }
  return fetchOnce().catch(error => {
    if (isMissing(error)) return fetchOnce()
    throw error
  })
}

async function askForAddress(
  settings: IngestionSettings,
  mediaId: string,
  authorization: string,
  { idleMs, signal }: DownloadLimits,
) {
  const { WHATSAPP_GRAPH_URL: graph, WHATSAPP_GRAPH_VERSION: version } = settings
  const { status, data } = await http.get(`${graph}/${version}/${encodeURIComponent(mediaId)}`, {
    headers: { authorization },
    maxContentLength: REFUSAL_BYTES_MAX,
    timeout: idleMs,
    signal,
  })
  if (status === 200) return MediaInfo.parse(data)
  const code = GraphError.safeParse(data).data?.error.code
  if (status === 401 || TOKEN_CODES.includes(code ?? -1)) {
    throw new TokenRefused(`Graph refused our token (code ${code})`)
  }
  if (status === 404 || (status === 400 && code === BAD_PARAMETER)) throw noLongerThere()
  throw new Error(`Graph answered ${status} (code ${code}) for media`)
}

/** Exported for its test: configured hosts are only called over https, which no stand-in here speaks. */
export function mayHaveToken(
  url: URL,
  settings: Pick<IngestionSettings, 'WHATSAPP_GRAPH_URL' | 'WHATSAPP_MEDIA_HOSTS'>,
): boolean {
  if (url.origin === settings.WHATSAPP_GRAPH_URL) return true
  return url.protocol === 'https:' && settings.WHATSAPP_MEDIA_HOSTS.some(entry => isHost(url.hostname, entry))
}

/** `*.fbsbx.com` matches all hosts below fbsbx.com; without the star, only that host. */
const isHost = (hostname: string, entry: string): boolean =>
  entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : hostname === entry
