/** Share of its length that counts for a person's only note: it precedes others' second notes, but not forever. */
const FIRST_SHARE = 1 / 20
/** Minimum, so that notes of no length count, too. */
const MIN_SECONDS = 1

/** The place of a note in the queue of a step: the lowest turn is next. */
export interface Place {
  turn: number
  /** Whether the person has no other note in that queue. */
  isFirst: boolean
}

/** Returns how far these seconds of work advance the queue's clock. */
export const shareOf = (seconds: number): number => Math.max(MIN_SECONDS, seconds) * FIRST_SHARE

/**
 * Places a note so that people who wait get equal shares of the work: its turn is that of the person's last note in the
 * queue plus its own seconds. `clock`: the highest turn claimed; new turns are above it.
 */
export function placeAfter(last: number | undefined, clock: number, seconds: number): Place {
  // If the latest claimed note is this person's, they don't count as having no notes yet.
  const isFirst = last === undefined || last < clock
  return { turn: isFirst ? clock + shareOf(seconds) : last + Math.max(MIN_SECONDS, seconds), isFirst }
}
