import { APIError, type ClientOptions, OpenAI } from 'openai'
import PQueue from 'p-queue'
import { NotNow } from '../errors.ts'

/** A client for OpenAI or a server with the same protocol. The caller retries, because each try costs money. */
export const createClient = (options: ClientOptions & Required<Pick<ClientOptions, 'fetch'>>) =>
  new OpenAI({ ...options, maxRetries: 0 })

const DEFAULT_WAIT_MS = 10_000
/** The longest wait that a provider can impose, as its limit may have been raised or its clock be wrong. */
const LONGEST_WAIT_MS = 3_600_000
/**
 * Limits concurrent calls, separately for short notes; among waiting calls, the highest `priority` is next. A temporary
 * refusal closes the gate: calls throw `NotNow`.
 */
export function createGate(atOnce: number, now: () => number = Date.now) {
  const queue = new PQueue({ concurrency: atOnce })
  const shortQueue = new PQueue({ concurrency: atOnce })
  let closedUntil = 0
  const later = (at: number, cause?: unknown) =>
    new NotNow('The provider asks us to wait', closedUntil - at, { cause })
  return <T>(work: () => Promise<T>, signal: AbortSignal, isShort = false, priority = 0): Promise<T> => {
    const careful = async () => {
      const startedAt = now()
      if (closedUntil > startedAt) throw later(startedAt)
      try {
        return await work()
      } catch (error) {
        const at = now()
        const wait = waitFor(error, at)
        if (wait === undefined) throw error
        closedUntil = Math.max(closedUntil, at + wait)
        throw later(at, error)
      }
    }
    // The signal ends only the wait. Started work handles it itself: a paid call may outlast it.
    const waiting = new AbortController()
    const giveUp = () => waiting.abort(signal.reason)
    const begin = () => {
      signal.removeEventListener('abort', giveUp)
      return careful()
    }
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    return (isShort ? shortQueue : queue).add(begin, { signal: waiting.signal, priority })
  }
}

/** Whether the provider doesn't have the model, or no longer does. */
export const hasEnded = (error: unknown): boolean =>
  error instanceof APIError && error.code === 'model_not_found'

/** Whether the account has no credit left, so that waiting doesn't help. */
export const isUnpaid = ({ code, type }: APIError) => [code, type].includes('insufficient_quota')

/** Returns the milliseconds for which a provider refuses calls; undefined if the error has another cause. */
function waitFor(error: unknown, at: number): number | undefined {
  if (!(error instanceof APIError) || isUnpaid(error) || (error.status !== 429 && error.status !== 503))
    return undefined
  const header = (name: string) => error.headers?.get(name) ?? ''
  const after = header('retry-after')
  const waits = [
    Number.parseFloat(header('retry-after-ms')),
    /^[\d.]+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - at,
    ...['requests', 'tokens']
      .map(limit => milliseconds(header(`x-ratelimit-reset-${limit}`)))
      .toSorted((a, b) => b - a),
  ]
  return Math.min(Math.ceil(waits.find(wait => wait >= 0) ?? DEFAULT_WAIT_MS), LONGEST_WAIT_MS)
}

const UNITS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** Parses `6m0s`, `1.2s` or `250ms` to milliseconds; negative if there is no duration. */
function milliseconds(text: string): number {
  const parts = [...text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  if (!parts.length) return -1
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? 's'] ?? 0), 0)
}
