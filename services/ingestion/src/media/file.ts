import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CONTAINERS, isMediaMime, UNREAD } from '@voxscribe/contracts/media'
import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { agentsFor, type Problem } from '@voxscribe/service'
import { http } from '@voxscribe/service/outward'
import type { AxiosRequestConfig } from 'axios'
import { BEGINNING_BYTES, mimeOfFrames } from './frames.ts'

/** Prefix of the names of temporary files. */
export const TEMPORARY_PREFIX = 'voxscribe-media-'

/** Returns the object key of a note's bytes: `media/2026/11/<id>`, by the month of its arrival. */
export const objectKeyOf = (mediaId: string, at: Date): string =>
  `media/${at.toISOString().slice(0, 7).replace('-', '/')}/${mediaId}`

/** A file that can't become a note and isn't retried. `bytes`: declared, or received so far. */
export class Rejected extends Error {
  override name = 'Rejected'
  readonly reason: Reason
  readonly bytes: number
  /** The limit, and when the file may be sent again; undefined if the rejection is final. */
  readonly limitReached: Pick<Problem, 'limit' | 'retryAfterSeconds'> | undefined
  constructor(reason: Reason, bytes = 0, limitReached?: Pick<Problem, 'limit' | 'retryAfterSeconds'>) {
    super(reason.code)
    this.reason = reason
    this.bytes = bytes
    this.limitReached = limitReached
  }
}
export const tooLarge = (bytes: number) => new Rejected(reason('too_large'), bytes)
export const noLongerThere = () => new Rejected(reason('media_gone'))

/** Our credentials no longer work: an operator must act, and retrying won't help for a while. */
export class TokenRefused extends Error {
  override name = 'TokenRefused'
}

export interface Kept {
  bytes: number
  /** Hex. */
  sha256: string
}

interface Options {
  maxBytes: number
  signal?: AbortSignal
  onBytes?(): void
}

/**
 * Streams bytes into a file, counts and hashes them, and frees the source's buffers. Throws Rejected over `maxBytes`.
 */
export async function keep(
  source: AsyncIterable<Buffer<ArrayBuffer>>,
  path: string,
  options: Options,
): Promise<Kept> {
  const { maxBytes, signal, onBytes } = options
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(chunks: AsyncIterable<Buffer<ArrayBuffer>>) {
    for await (const chunk of chunks) {
      onBytes?.()
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(bytes)
      hash.update(chunk)
      yield chunk
      // Frees the written chunk now: V8 counts its 64 kB as one small object, and hundreds may await collection.
      if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0)
    }
  }
  // Each chunk is written before the next one is read.
  await pipeline(source, counted, createWriteStream(path, { highWaterMark: 1 }), { signal })
  return { bytes, sha256: hash.digest('hex') }
}

/** Returns a file's MIME type by its content. Throws Rejected for an empty or unsupported file. */
export async function mediaMimeOf(path: string, bytes: number): Promise<string> {
  if (!bytes) throw new Rejected(reason('empty_file'))
  const { fileTypeFromFile } = await import('file-type')
  const mime = (await fileTypeFromFile(path))?.mime ?? (await mimeByBeginning(path, bytes)) ?? ''
  if (!isMediaMime(mime)) throw new Rejected(reason('not_audio_or_video'), bytes)
  return mime
}

/**
 * Returns the type of a file that file-type doesn't know: by its signature, or by MP3 or AAC frames after part of a
 * frame. Throws Rejected for a known kind of recording that isn't supported.
 */
async function mimeByBeginning(path: string, bytes: number): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES))
    const beginning = buffer.subarray(0, bytesRead)
    const hex = beginning.toString('hex', 0, 16)
    if (UNREAD.some(signature => hex.startsWith(signature)))
      throw new Rejected(reason('kind_not_read'), bytes)
    const known = CONTAINERS.find(({ begins }) => begins?.some(signature => hex.startsWith(signature)))
    return known?.mimes[0] ?? mimeOfFrames(beginning)
  } finally {
    await file.close()
  }
}

export interface DownloadLimits {
  maxBytes: number
  /** Longest time without a byte. */
  idleMs: number
  /** Aborts when the time for the whole download is over, including redirects and retries. */
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

export const isMissing = (error: unknown) => error instanceof UnexpectedStatus && error.status === 404

const MAX_REDIRECTS = 5

interface Request {
  url: string
  /** The provider's address in the settings. Unless it is inside our network, media must not be either. */
  provider: string
  path: string
  /** Called for every redirect, so that credentials go only to the hosts they are for. */
  headersFor(url: URL): Record<string, string>
  /** The error's message if a host responds with 401. */
  unauthorized: string
  limits: DownloadLimits
}

/** Streams an address into a file. Throws Rejected if too large, TokenRefused, UnexpectedStatus, or the I/O error. */
export async function download({ url, provider, path, limits, ...credentials }: Request): Promise<Kept> {
  const still = new AbortController()
  const idle = setTimeout(() => still.abort(new Error('The download stood still')), limits.idleMs)
  const signal = AbortSignal.any([limits.signal, still.signal])
  try {
    const config = { ...(await agentsFor(provider)), signal }
    const body = await request(new URL(url), credentials, limits.maxBytes, config)
    return await keep(body, path, { maxBytes: limits.maxBytes, signal, onBytes: () => idle.refresh() })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(idle)
  }
}

async function request(
  url: URL,
  credentials: Pick<Request, 'headersFor' | 'unauthorized'>,
  maxBytes: number,
  config: AxiosRequestConfig,
  redirects = 0,
): Promise<Readable> {
  const { status, headers, data } = await http.get<Readable>(url.href, {
    headers: { 'user-agent': 'voxscribe', ...credentials.headersFor(url) },
    responseType: 'stream',
    ...config,
  })
  const location = headers.location
  if (status >= 300 && status < 400 && location && redirects < MAX_REDIRECTS) {
    data.destroy()
    return request(new URL(location, url), credentials, maxBytes, config, redirects + 1)
  }
  const declared = Number(headers['content-length'] ?? 0)
  if (status === 200 && declared <= maxBytes) return data
  data.destroy()
  if (status === 401) throw new TokenRefused(`${url.host} answered 401: ${credentials.unauthorized}`)
  throw status === 200 ? tooLarge(declared) : new UnexpectedStatus(status, url.host)
}
