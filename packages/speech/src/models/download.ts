import { constants } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { EnvHttpProxyAgent, RequestInit } from 'undici'
import { fileDigest } from './intact.ts'

/** Milliseconds without a byte after which a download ends. */
const SILENCE_MS = 30_000
const REDIRECTS = 5
/** Tries for one file; each resumes the previous one. */
const TRIES = 5

/** A failure that an operator can fix. */
export class FetchProblem extends Error {
  override name = 'FetchProblem'
}

interface Wanted {
  url: string
  to: string
  sha256?: string | undefined
  signal: AbortSignal
  /** Called with the bytes on disk so far. */
  progress(bytes: number): void
}

/** The size (NaN if unknown) and digest that the server states. Hugging Face states the digest of large files. */
interface Stated {
  bytes: number
  sha256: string | undefined
}

/** Fetches a file, or the rest of one. It gets its final name only after its length and digest have been checked. */
export async function download(wanted: Wanted): Promise<void> {
  const { url, to, signal } = wanted
  const stated = await ask(url, signal)
  const { bytes } = stated
  const sha256 = wanted.sha256 ?? stated.sha256
  const isComplete = async () => bytes === (await sizeOf(to)) && (!sha256 || fileDigest(to) === sha256)
  if (await isComplete()) return
  // The name includes the digest, so a download of another version isn't resumed.
  const part = `${to}.${sha256?.slice(0, 12) ?? 'unchecked'}.part`
  try {
    for (let tried = 1; (await sizeOf(part)) !== bytes; tried++) {
      try {
        await resume(wanted, part)
        if (Number.isNaN(bytes)) break
      } catch (error) {
        signal.throwIfAborted()
        if (tried === TRIES || error instanceof FetchProblem) throw error
      }
      if (await isComplete()) return
      if ((await sizeOf(part)) > bytes) await rm(part)
      if (tried === TRIES) throw new FetchProblem(`${url} breaks off; the next start continues`)
    }
    if (sha256 && fileDigest(part) !== sha256) {
      await rm(part)
      throw new FetchProblem(`${url} is not the file that it should be (its SHA-256 differs)`)
    }
    await rename(part, to)
  } catch (error) {
    // Another process may have fetched the file in the meantime.
    if (!(await isComplete())) throw error
  }
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

async function ask(url: string, signal: AbortSignal, redirects = REDIRECTS): Promise<Stated> {
  const { status, headers } = await request(url, { method: 'HEAD', redirect: 'manual', signal })
  const given = (linked: string, own: string) =>
    headers.get(linked) ?? (status === 200 ? headers.get(own) : null)
  const sha256 = /^"?([0-9a-f]{64})"?$/.exec(given('x-linked-etag', 'etag') ?? '')?.[1]
  if (sha256 || status === 200)
    return { bytes: Number(given('x-linked-size', 'content-length') ?? Number.NaN), sha256 }
  const location = headers.get('location')
  if (!location || !redirects) throw new FetchProblem(`${url} cannot be fetched: ${status}`)
  return ask(new URL(location, url).href, signal, redirects - 1)
}

async function resume({ url, signal, progress }: Wanted, part: string): Promise<void> {
  const have = await sizeOf(part)
  const response = await request(url, { headers: have ? { range: `bytes=${have}-` } : {}, signal })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new FetchProblem(`${url} cannot be fetched: ${response.status}`)
  }
  // A server without ranges sends everything again.
  let done = response.status === 206 ? have : 0
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      done += chunk.length
      progress(done)
      yield chunk
    }
  }
  // Written at its position rather than appended, because another process may write the same bytes.
  const file = await open(part, constants.O_CREAT | constants.O_WRONLY)
  const to = file.createWriteStream({ start: done })
  await pipeline(Readable.fromWeb(response.body as never), counted, to, { signal })
}

let agent: EnvHttpProxyAgent | undefined

/** Sends a request, by HTTPS_PROXY, HTTP_PROXY and NO_PROXY. The library loads here, as most starts fetch nothing. */
async function request(url: string, options: RequestInit) {
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  agent ??= new EnvHttpProxyAgent({ bodyTimeout: SILENCE_MS, headersTimeout: SILENCE_MS })
  try {
    return await fetch(url, { ...options, dispatcher: agent })
  } catch (error) {
    options.signal?.throwIfAborted()
    const { message, cause } = error as Error & { cause?: Error }
    throw new FetchProblem(`${new URL(url).host} cannot be reached (${cause?.message || message})`)
  }
}
