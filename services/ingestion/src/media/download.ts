import type { Readable } from 'node:stream'
import { agentsFor } from '@voxscribe/service'
import axios, { type AxiosRequestConfig } from 'axios'
import { type Kept, keep, tooLarge } from './file.ts'

export interface DownloadLimits {
  maxBytes: number
  /** Without a single byte. */
  idleMs: number
  /** Aborts when the time for the whole download is over, redirects and second tries included. */
  signal: AbortSignal
}

export class UnexpectedStatus extends Error {
  override name = 'UnexpectedStatus'
  readonly status: number
  constructor(status: number, host: string) {
    super(`${host} answered ${status}`)
    this.status = status
  }
}

const MAX_REDIRECTS = 5

interface Request {
  url: string
  /** The provider's address in the settings: unless it is inside our network, media must not be, either. */
  provider: string
  path: string
  /** Called for every redirect, so that credentials go only to the hosts they are for. */
  headersFor(url: URL): Record<string, string>
  limits: DownloadLimits
}

/** Streams an address into a file. Throws Rejected for a file too large, UnexpectedStatus, or the network's error. */
export async function download({ url, provider, path, headersFor, limits }: Request): Promise<Kept> {
  const still = new AbortController()
  const idle = setTimeout(() => still.abort(new Error('The download stood still')), limits.idleMs)
  const signal = AbortSignal.any([limits.signal, still.signal])
  try {
    const config = { ...(await agentsFor(provider)), signal }
    const body = await open(new URL(url), headersFor, limits.maxBytes, config)
    return await keep(body, path, { maxBytes: limits.maxBytes, signal, onBytes: () => idle.refresh() })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(idle)
  }
}

async function open(
  url: URL,
  headersFor: Request['headersFor'],
  maxBytes: number,
  config: AxiosRequestConfig,
  redirects = 0,
): Promise<Readable> {
  const { status, headers, data } = await axios.get<Readable>(url.href, {
    headers: { 'user-agent': 'voxscribe', ...headersFor(url) },
    responseType: 'stream',
    maxRedirects: 0,
    validateStatus: null,
    ...config,
  })
  const location = headers.location
  if (status >= 300 && status < 400 && location && redirects < MAX_REDIRECTS) {
    data.destroy()
    return open(new URL(location, url), headersFor, maxBytes, config, redirects + 1)
  }
  const declared = Number(headers['content-length'] ?? 0)
  if (status === 200 && declared <= maxBytes) return data
  data.destroy()
  throw status === 200 ? tooLarge(declared) : new UnexpectedStatus(status, url.host)
}
