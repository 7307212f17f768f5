import { randomUUID } from 'node:crypto'

/** Says that a process works on a note. Its owner counts `beat` up while it does. */
export interface Lease {
  owner: string
  /** Tells it from the other leases of its owner, which holds a note for each step, and begins with the same beat. */
  term: number
  beat: number
}

/** Enough for every note in other hands; forgetting one only delays its takeover. */
const MOST_WATCHED = 10_000

export type Leases = ReturnType<typeof createLeases>

/**
 * Decides when a note may be taken out of another process's hands. A lease is judged by change, not by a time in it:
 * it has run out when this process has watched it unchanged for `lastsMs` by its own clock, so replicas' clocks may
 * differ as they like. Of the time between two looks no more than half of that counts: when they are further apart, this
 * process or the database stood still, and the owner could not renew its lease either. 0: there is no other process, so
 * a lease that is not ours is a dead process's.
 */
export function createLeases(lastsMs: number, elapsed: () => number = () => performance.now()) {
  const watched = new Map<string, { beat: string; silentMs: number; lookedAt: number }>()
  /** This process, until it ends. */
  const owner = randomUUID()
  let terms = 0
  return {
    owner,
    fresh: (): Lease => ({ owner, term: ++terms, beat: 0 }),
    hasRunOut(noteId: string, held: Lease): boolean {
      if (lastsMs === 0) return true
      const beat = `${held.owner} ${held.term} ${held.beat}`
      const known = watched.get(noteId)
      const now = elapsed()
      if (known?.beat === beat) {
        known.silentMs += Math.min(now - known.lookedAt, lastsMs / 2)
        known.lookedAt = now
        return known.silentMs >= lastsMs
      }
      if (watched.size >= MOST_WATCHED) watched.clear()
      watched.set(noteId, { beat, silentMs: 0, lookedAt: now })
      return false
    },
    forget: (noteId: string) => watched.delete(noteId),
  }
}
