import type { IncomingMessage, ServerResponse } from 'node:http'
import { whenAnswered } from './http.ts'

/** Time after which a body that is still being sent loses its slot to a caller without one. */
const SLOW_MS = 10_000

interface Slots {
  total: number
  perCaller: number
}

interface Slot {
  caller: unknown
  since: number
  request: Pick<IncomingMessage, 'complete' | 'destroy'>
}

/** Limits the calls with large bodies that this process holds in memory. `now`: milliseconds of one clock. */
export function createBodySlots({ total, perCaller }: Slots, now: () => number = () => performance.now()) {
  /** Oldest first. */
  const taken = new Set<Slot>()
  /** Takes a slot until the call is answered; returns false if all of them are taken. */
  return (caller: unknown, request: Slot['request'], response: ServerResponse): boolean => {
    const theirs = [...taken].filter(each => each.caller === caller)
    if (theirs.length >= perCaller) return false
    if (taken.size >= total) {
      const slow = [...taken].find(each => !each.request.complete && now() - each.since > SLOW_MS)
      if (!slow || theirs.length) return false
      taken.delete(slow)
      slow.request.destroy()
    }
    const call = { caller, since: now(), request }
    taken.add(call)
    whenAnswered(response, () => taken.delete(call))
    return true
  }
}
