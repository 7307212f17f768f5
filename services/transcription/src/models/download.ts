import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { EnvHttpProxyAgent, RequestInit } from 'undici'
import { digestOf } from './intact.ts'

/** Without a byte for this long a download is given up. */
const SILENCE_MS = 30_000
const REDIRECTS = 5
/** Tries for one file, each going on where the last one broke off. */
const TRIES = 5

/** A line that a person can do something about. */
export class FetchProblem extends Error {
  override name = 'FetchProblem'
}

/** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` count. */
let agent: EnvHttpProxyAgent | undefined

/** Most starts fetch nothing: the library is loaded by the first call. */
async function openClient() {
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  agent ??= new EnvHttpProxyAgent({ bodyTimeout: SILENCE_MS, headersTimeout: SILENCE_MS })
  return { fetch, dispatcher: agent }
}

interface Wanted {
  url: string
  to: string
  sha256?: string | undefined
  signal: AbortSignal
  /** Bytes that are there now, and all bytes (NaN while unknown). */
  progress(bytes: number, of: number): void
}

/** Size and digest that the place states before a file is fetched. Hugging Face has the digest of large files. */
interface Stated {
  bytes: number
  sha256: string | undefined
}

/**
 * Fetches a file, going on where an earlier download broke off, and checks its length and digest: the one that we
 * know, else the one that the place states. Only a file that is right gets its name. Returns its digest, if known.
 */
export async function download(wanted: Wanted): Promise<string | undefined> {
  const stated = await ask(wanted.url, wanted.signal)
  const sha256 = wanted.sha256 ?? stated.sha256
  const isThere = stated.bytes === (await sizeOf(wanted.to))
  if (isThere && (!sha256 || digestOf(wanted.to) === sha256)) return sha256
  // The digest is part of the name: what was begun of another version is not gone on with.
  const part = `${wanted.to}.${sha256?.slice(0, 12) ?? 'unchecked'}.part`
  for (let tried = 1; (await sizeOf(part)) !== stated.bytes; tried++) {
    try {
      await goOn(wanted, part, stated)
      if (!Number.isFinite(stated.bytes)) break
    } catch (error) {
      wanted.signal.throwIfAborted()
      if (tried === TRIES || error instanceof FetchProblem) throw error
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw noSpace(wanted.to)
    }
    if ((await sizeOf(part)) > stated.bytes) await rm(part)
    if (tried === TRIES) break
  }
  if (sha256 && digestOf(part) !== sha256) {
    await rm(part, { force: true })
    throw new FetchProblem(`${wanted.url} is not the file that it should be (its SHA-256 differs)`)
  }
  if (Number.isFinite(stated.bytes) && (await sizeOf(part)) !== stated.bytes)
    throw new FetchProblem(`${wanted.url} breaks off; the next start goes on with it`)
  await rename(part, wanted.to)
  return sha256
}

export const noSpace = (path: string) => new FetchProblem(`There is no space left for ${path}`)

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

async function ask(url: string, signal: AbortSignal): Promise<Stated> {
  let at = url
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    const { status, headers } = await request(at, { method: 'HEAD', redirect: 'manual', signal })
    const linked = headers.get('x-linked-etag') ?? (status === 200 ? headers.get('etag') : null)
    const digest = /^"?([0-9a-f]{64})"?$/.exec(linked ?? '')?.[1]
    const size = headers.get('x-linked-size') ?? (status === 200 ? headers.get('content-length') : null)
    if (digest || status === 200) return { bytes: Number(size ?? Number.NaN), sha256: digest }
    const location = headers.get('location')
    if (status < 300 || status > 399 || !location)
      throw new FetchProblem(`${url} cannot be fetched: ${status} from ${new URL(at).host}`)
    at = new URL(location, at).href
  }
  throw new FetchProblem(`${url} is redirected too often`)
}

async function goOn({ url, signal, progress }: Wanted, part: string, { bytes }: Stated): Promise<void> {
  const have = await sizeOf(part)
  const headers: Record<string, string> = have ? { range: `bytes=${have}-` } : {}
  const response = await request(url, { headers, signal })
  if (!response.ok || !response.body) throw new FetchProblem(`${url} cannot be fetched: ${response.status}`)
  // A place that knows no ranges sends everything again.
  const from = response.status === 206 ? have : 0
  let done = from
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      done += chunk.length
      progress(done, bytes)
      yield chunk
    }
  }
  const body = Readable.fromWeb(response.body as never)
  await pipeline(body, counted, createWriteStream(part, { flags: from ? 'a' : 'w' }), { signal })
}

async function request(url: string, options: RequestInit) {
  const { fetch, dispatcher } = await openClient()
  try {
    return await fetch(url, { ...options, dispatcher })
  } catch (error) {
    options.signal?.throwIfAborted()
    const cause = (error as Error).cause as Error | undefined
    throw new FetchProblem(
      `${new URL(url).host} cannot be reached (${cause?.message || (error as Error).message})`,
    )
  }
}
