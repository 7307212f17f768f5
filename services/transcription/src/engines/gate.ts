import { Later } from '@voxscribe/messaging'
import { APIError } from 'openai'
import PQueue from 'p-queue'

/** Limits the calls to one provider at once; makes none while it asks us to wait. */
export interface Gate {
  /** Throws `Later` while it is closed. */
  throwIfClosed(): void
  /** Short notes have calls of their own. A call that the provider refuses for now closes the gate and throws `Later`: it is no failed try. */
  call<T>(work: () => Promise<T>, signal: AbortSignal, isShort?: boolean): Promise<T>
}

const DEFAULT_WAIT_MS = 10_000
/** As many calls again, of all, are for short notes alone: the parts of long ones take minutes each. */
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

/** Milliseconds for which a provider wants no calls; undefined when that is not what it says. */
function waitFor(error: unknown, now: () => number = Date.now): number | undefined {
  if (!(error instanceof APIError) || (error.status !== 429 && error.status !== 503)) return undefined
  if (error.code === 'insufficient_quota' || error.type === 'insufficient_quota') return undefined
  const header = (name: string) => error.headers?.get(name) ?? ''
  const resets = ['requests', 'tokens'].map(what => milliseconds(header(`x-ratelimit-reset-${what}`)))
  const after = header('retry-after')
  const told = [
    number(header('retry-after-ms')),
    number(after) === undefined ? Date.parse(after) - now() : Number(after) * 1000,
    Math.max(...resets.map(each => each ?? 0)) || undefined,
  ].find(wait => wait !== undefined && wait >= 0)
  return told === undefined ? DEFAULT_WAIT_MS : Math.ceil(told)
}

const number = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined)

const UNITS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** `6m0s`, `1.2s`, `250ms` in milliseconds. */
function milliseconds(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  if (!parts.length) return undefined
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? 's'] ?? 0), 0)
}
