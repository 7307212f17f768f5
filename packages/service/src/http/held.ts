import type { IncomingMessage, ServerResponse } from 'node:http'
import { whenAnswered } from './http.ts'

/** Time after which a body that is still being sent loses its place to a caller without a place. */
const SLOW_MS = 10_000

interface Places {
  total: number
  perCaller: number
}

interface Held {
  caller: unknown
  since: number
  request: Pick<IncomingMessage, 'complete' | 'destroy'>
}

/** Limits the calls with large bodies that this process holds in memory. `now`: milliseconds of one clock. */
export function createHeld({ total, perCaller }: Places, now: () => number = () => performance.now()) {
  /** Oldest first. */
  const held = new Set<Held>()
  /** Takes a place until the call is answered; returns false if all places are taken. */
  return (caller: unknown, request: Held['request'], response: ServerResponse): boolean => {
    const theirs = [...held].filter(each => each.caller === caller)
    if (theirs.length >= perCaller) return false
    if (held.size >= total) {
      const slow = [...held].find(each => !each.request.complete && now() - each.since > SLOW_MS)
      if (!slow || theirs.length) return false
      held.delete(slow)
      slow.request.destroy()
    }
    const call = { caller, since: now(), request }
    held.add(call)
    whenAnswered(response, () => held.delete(call))
    return true
  }
}
