import type { LookupAddress } from 'node:dns'
import { addAbortSignal, type Readable } from 'node:stream'
import { publicAgents } from '@voxscribe/service'
import { http } from '@voxscribe/service/outward'
import { Webhook } from 'standardwebhooks'
import type { DeliveryRecord, Outcome } from './deliveries.ts'
import type { HookRecord } from './hooks.ts'
import { createLookup } from './names.ts'

/** Longest part of a response that is read. */
const READ_MAX_BYTES = 64 * 1024
/** Characters of a response that are shown. */
const SHOWN_MAX = 1_000

/** `retryAfterMs`: requested by the receiver. */
type Tried = Outcome & { retryAfterMs?: number }

interface Options {
  isPrivateAllowed(url: string): boolean
  /** Limit for a whole delivery, up to the last byte of its response. */
  timeoutMs: number
  /** Resolves names on the internet. */
  lookup?: (host: string) => Promise<[LookupAddress[]]>
}
export type Send = ReturnType<typeof createSend>

/** The longest wait that a receiver may request, equal to our own longest. */
const RETRY_AFTER_MAX_MS = 86_400_000

/** Tries a delivery: one signed POST to the internet, without redirects. Throws only if `stopped` is aborted. */
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

/** Returns the headers of Standard Webhooks; a secret replaced less than a day ago signs as well. */
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

/** Returns the milliseconds of a `Retry-After` (RFC 9110: seconds or a date); 0 without one. */
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

/** Reads a response's body as far as it arrives in time; only its status matters. */
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

/** An error of several addresses has one error for each. */
function codeOf(error: unknown): string {
  const { code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  const { errors = [] } = (cause ?? error) as { errors?: NodeJS.ErrnoException[] }
  const codes = [code, ...errors.map(each => each.code)]
  return codes.find(each => each === 'ERR_IP_BLOCKED') ?? codes.find(Boolean) ?? 'unknown'
}
