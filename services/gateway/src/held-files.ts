import type { IncomingMessage, ServerResponse } from 'node:http'
import { whenAnswered } from '@voxscribe/service'

/** A call with a file is held whole, several times over: as JSON, as bytes, as a form; about 80 MB at most. */
const IN_ALL = 6
const OF_A_PERSON = 2
/** A file that has been sent for longer gives its place to a person who has none. */
const SLOW_MS = 10_000

interface HeldFile {
  userId: string
  since: number
  request: Pick<IncomingMessage, 'complete' | 'destroy'>
}

/** Bounds the calls with a file that this process holds. `now`: milliseconds of one clock. */
export function createHeldFiles(now: () => number = () => performance.now()) {
  /** Oldest first. */
  const held = new Set<HeldFile>()
  /** Takes a place until the call is answered; returns false when there is none. */
  return (userId: string, request: HeldFile['request'], response: ServerResponse): boolean => {
    const theirs = [...held].filter(each => each.userId === userId)
    if (theirs.length >= OF_A_PERSON) return false
    if (held.size >= IN_ALL) {
      const slow = [...held].find(each => !each.request.complete && now() - each.since > SLOW_MS)
      if (!slow || theirs.length) return false
      held.delete(slow)
      slow.request.destroy()
    }
    const file = { userId, since: now(), request }
    held.add(file)
    whenAnswered(response, () => held.delete(file))
    return true
  }
}
