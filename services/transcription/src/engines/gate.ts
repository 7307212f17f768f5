import { Later } from '@voxscribe/messaging'
import { APIError } from 'openai'
import PQueue from 'p-queue'

/** Limits parallel calls to a provider, and closes while the provider asks for a pause. */
export interface Gate {
  /** Throws `Later` while it is closed. */
  throwIfClosed(): void
  /**
   * Short notes have their own calls. A call that the provider refuses for now closes the gate and throws `Later`: it
   * is not a failed try.
   */
  call<T>(work: () => Promise<T>, signal: AbortSignal, isShort?: boolean): Promise<T>
}

const DEFAULT_WAIT_MS = 10_000
/** Further calls for short notes alone, as a share: parts of long notes take minutes each. */
const SHORT_SHARE = 0.5

export function createGate(atOnce: number, now: () => number = Date.now): Gate {
  const queue = new PQueue({ concurrency: atOnce })
  const shortQueue = new PQueue({ concurrency: Math.ceil(atOnce * SHORT_SHARE) })
  let closedUntil = 0
  const throwIfClosed = () => {
    const wait = closedUntil - now()
    if (wait > 0) throw new Later('The speech service asks us to wait', wait)
  }
  return {
    throwIfClosed,
    call(work, signal, isShort = false) {
      const careful = async () => {
        throwIfClosed()
        try {
          return await work()
        } catch (error) {
          const wait = waitFor(error, now)
          if (wait === undefined) throw error
          closedUntil = Math.max(closedUntil, now() + wait)
          throw new Later('The speech service asks us to wait', wait, { cause: error })
        }
      }
      return (isShort ? shortQueue : queue).add(careful, { signal })
    },
  }
}

/** Whether the account has no credit left; waiting does not help. */
export const isUnpaid = ({ code, type }: APIError) => [code, type].includes('insufficient_quota')

/** Milliseconds for which a provider refuses calls; undefined if the error is about something else. */
function waitFor(error: unknown, now: () => number): number | undefined {
  if (!(error instanceof APIError) || isUnpaid(error) || (error.status !== 429 && error.status !== 503))
    return undefined
  const header = (name: string) => error.headers?.get(name) ?? ''
  const after = header('retry-after')
  const waits = [
    Number.parseFloat(header('retry-after-ms')),
    /^[\d.]+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now(),
    ...['requests', 'tokens']
      .map(limit => milliseconds(header(`x-ratelimit-reset-${limit}`)))
      .toSorted((a, b) => b - a),
  ]
  return Math.ceil(waits.find(wait => wait >= 0) ?? DEFAULT_WAIT_MS)
}

const UNITS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** `6m0s`, `1.2s`, `250ms` in milliseconds; negative for none. */
function milliseconds(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  if (!parts.length) return -1
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? 's'] ?? 0), 0)
}
