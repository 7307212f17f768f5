/** Share of its length by which a person's only note counts: ahead of others' second ones, but not for ever. */
const FIRST_SHARE = 1 / 20
/** So that notes of no length count, too. */
const MIN_SECONDS = 1

/** The place of a note in the queue of a step: the lowest turn is next. */
export interface Place {
  turn: number
  /** Whether its person has no other note there. */
  isFirst: boolean
}

/** Returns how far the clock of the queue goes on with these seconds of work. */
export const shareOf = (seconds: number): number => Math.max(MIN_SECONDS, seconds) * FIRST_SHARE

/**
 * Places a note so that the people who wait have equal shares of the work: its turn is that of its person's last note in
 * the queue plus the seconds of its work. `clock`: the highest turn that was claimed; a turn below it is not given.
 */
export function placeAfter(last: number | undefined, clock: number, seconds: number): Place {
  // A person whose note was claimed last does not count yet as one without notes.
  const isFirst = last === undefined || last < clock
  return { turn: isFirst ? clock + shareOf(seconds) : last + Math.max(MIN_SECONDS, seconds), isFirst }
}
