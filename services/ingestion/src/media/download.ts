import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import axios from 'axios'

export interface DownloadLimits {
  maxBytes: number
  /** Without a single byte. */
  idleMs: number
  /** Aborts when the time for all of it is over: asking for the address, redirects and second tries included. */
  signal: AbortSignal
}

export interface Downloaded {
  bytes: number
  /** Hex. */
  sha256: string
}

/** More bytes than a note may have; `bytes` is what was declared, or what had come when it was stopped. */
export class TooLarge extends Error {
  override name = 'TooLarge'
  readonly bytes: number
  constructor(bytes: number) {
    super(`The file has ${bytes} bytes or more`)
    this.bytes = bytes
  }
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
  path: string
  /** Asked anew for every redirect: credentials go only where they belong. */
  headersFor(url: URL): Record<string, string>
  limits: DownloadLimits
}

/** Streams an address into a file, never whole in memory. Throws TooLarge, UnexpectedStatus, or what the network says. */
export async function download({ url, path, headersFor, limits }: Request): Promise<Downloaded> {
  const still = new AbortController()
  const idle = setTimeout(() => still.abort(new Error('The download stood still')), limits.idleMs)
  const signal = AbortSignal.any([limits.signal, still.signal])
  try {
    const body = await open(new URL(url), headersFor, limits.maxBytes, signal)
    const hash = createHash('sha256')
    let bytes = 0
    const counted = async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        idle.refresh()
        bytes += chunk.length
        if (bytes > limits.maxBytes) throw new TooLarge(bytes)
        hash.update(chunk)
        yield chunk
      }
    }
    await pipeline(body, counted, createWriteStream(path), { signal })
    return { bytes, sha256: hash.digest('hex') }
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
  signal: AbortSignal,
  redirects = 0,
): Promise<Readable> {
  const { status, headers, data } = await axios.get<Readable>(url.href, {
    headers: { 'user-agent': 'voxscribe', ...headersFor(url) },
    responseType: 'stream',
    maxRedirects: 0,
    validateStatus: null,
    signal,
  })
  const location = headers.location
  if (status >= 300 && status < 400 && location && redirects < MAX_REDIRECTS) {
    data.destroy()
    return open(new URL(location, url), headersFor, maxBytes, signal, redirects + 1)
  }
  const declared = Number(headers['content-length'] ?? 0)
  if (status === 200 && declared <= maxBytes) return data
  data.destroy()
  throw status === 200 ? new TooLarge(declared) : new UnexpectedStatus(status, url.host)
}
