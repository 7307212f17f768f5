import { constants, existsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { EnvHttpProxyAgent, RequestInit } from 'undici'
import { fileDigest } from './intact.ts'

/** Milliseconds without a byte after which a download ends. */
const SILENCE_MS = 30_000
/** Tries for one file; each resumes the previous one. */
const TRIES = 5

/** A failure that an operator can fix. */
export class FetchProblem extends Error {
  override name = 'FetchProblem'
}

interface Wanted {
  url: string
  to: string
  sha256: string
  signal: AbortSignal
  /** Called with the bytes on disk so far. */
  progress(bytes: number): void
}

/** Fetches a file, or the rest of one. It gets its final name only after its digest has been checked. */
export async function download(wanted: Wanted): Promise<void> {
  const { url, to, sha256 } = wanted
  const isComplete = () => existsSync(to) && fileDigest(to) === sha256
  // The name includes the digest, so a download of another version isn't resumed.
  const part = `${to}.${sha256.slice(0, 12)}.part`
  try {
    for (let tried = 1; !isComplete() && !(await resume(wanted, part)); tried++)
      if (tried === TRIES) throw new FetchProblem(`${url} breaks off; the next start continues`)
    if (isComplete()) return
    if (fileDigest(part) !== sha256) {
      await rm(part)
      throw new FetchProblem(`${url} is not the file that it should be (its SHA-256 differs)`)
    }
    await rename(part, to)
  } catch (error) {
    // Another process may have fetched the file in the meantime.
    if (!isComplete()) throw error
  }
}

/** Returns whether the transfer came to its end; false if it broke off. */
async function resume({ url, signal, progress }: Wanted, part: string): Promise<boolean> {
  const have = statSync(part, { throwIfNoEntry: false })?.size ?? 0
  const response = await request(url, { headers: have ? { range: `bytes=${have}-` } : {}, signal })
  // Nothing is left to send.
  if (have && response.status === 416) return true
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
  try {
    await pipeline(Readable.fromWeb(response.body as never), counted, to, { signal })
    return true
  } catch (error) {
    // undici's error for a transfer that broke off; others are the disk's.
    if (signal.aborted || !(error instanceof TypeError)) throw error
    return false
  }
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
