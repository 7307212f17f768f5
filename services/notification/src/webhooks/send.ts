import type { LookupAddress } from 'node:dns'
import { addAbortSignal, type Readable } from 'node:stream'
import { publicAgents } from '@voxscribe/service'
import { http } from '@voxscribe/service/outward'
import { Webhook } from 'standardwebhooks'
import type { DeliveryRecord, Outcome } from './deliveries.ts'
import type { HookRecord } from './hooks.ts'
import { createLookup } from './names.ts'

/** Of an answer: more is cut off. */
const READ_MAX_BYTES = 64 * 1024
/** Characters of an answer that are shown. */
const SHOWN_MAX = 1_000

/** `retryAfterMs`: as the receiver asks. */
type Tried = Outcome & { retryAfterMs?: number }

interface Options {
  isPrivateAllowed(url: string): boolean
  /** For a whole delivery, to the last byte of its answer. */
  timeoutMs: number
  /** Resolves names on the internet. */
  lookup?: (host: string) => Promise<[LookupAddress[]]>
}
export type Send = ReturnType<typeof createSend>

/** The longest wait that a receiver may ask for: as long as our own last one. */
const RETRY_AFTER_MAX_MS = 86_400_000

/** Tries a delivery: one signed POST to the internet, without redirects. Throws only when `stopped` is aborted. */
export function createSend({ isPrivateAllowed, timeoutMs, lookup = createLookup() }: Options) {
  const hooks = http.create({
    responseType: 'stream',
    decompress: false,
    headers: { 'user-agent': 'voxscribe', 'accept-encoding': 'identity' },
  })
  return async (hook: HookRecord, delivery: DeliveryRecord, stopped: AbortSignal): Promise<Tried> => {
    const late = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([late, stopped])
    try {
      const headers = { 'content-type': 'application/json', ...signed(hook, delivery, new Date()) }
      const {
        status,
        headers: answered,
        data,
      } = await hooks.post<Readable>(hook.url, Buffer.from(delivery.body), {
        ...(isPrivateAllowed(hook.url) ? {} : { ...publicAgents, lookup }),
        headers,
        signal,
      })
      const answer = await beginningOf(data, signal)
      const retryAfterMs = retryAfterIn(answered['retry-after'])
      return { statusCode: status, failure: failureOf(status), answer, ...(retryAfterMs && { retryAfterMs }) }
    } catch (error) {
      if (stopped.aborted) throw stopped.reason
      if (late.aborted) return { statusCode: null, failure: 'timeout', answer: '' }
      const code = codeOf(error)
      const failure = code === 'ERR_IP_BLOCKED' ? 'private_address' : 'connection'
      return { statusCode: null, failure, answer: failure === 'connection' ? code : '' }
    }
  }
}

/** The headers of Standard Webhooks; a secret that was replaced less than a day ago signs, too. */
function signed(
  { secret, formerSecrets }: HookRecord,
  { _id, body }: DeliveryRecord,
  now: Date,
): Record<string, string> {
  const secrets = [secret, ...formerSecrets.filter(({ until }) => until > now).map(former => former.secret)]
  return {
    'webhook-id': _id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map(each => new Webhook(each).sign(_id, now, body)).join(' '),
  }
}

/** Returns the milliseconds of a `Retry-After` (RFC 9110: seconds, or a date); 0 for none. */
function retryAfterIn(header: unknown): number {
  const said = String(header ?? '').trim()
  const ms = /^\d+$/.test(said) ? 1000 * Number(said) : Date.parse(said) - Date.now()
  return ms > 0 ? Math.min(ms, RETRY_AFTER_MAX_MS) : 0
}

function failureOf(status: number): Outcome['failure'] {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Reads an answer's body as far as it comes in time: only its status counts. */
async function beginningOf(body: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of addAbortSignal(signal, body)) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= READ_MAX_BYTES) break
    }
  } catch {}
  return Buffer.concat(chunks).toString('utf8').slice(0, SHOWN_MAX).toWellFormed()
}

/** An error of several addresses has one for each. */
function codeOf(error: unknown): string {
  const { code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  const { errors = [] } = (cause ?? error) as { errors?: NodeJS.ErrnoException[] }
  const codes = [code, ...errors.map(each => each.code)]
  return codes.find(each => each === 'ERR_IP_BLOCKED') ?? codes.find(Boolean) ?? 'unknown'
}
