/** Share of its length by which a person's only note counts: ahead of others' second ones, but not for ever. */
const FIRST_SHARE = 1 / 20
/** So that notes of no length count, too. */
const MIN_SECONDS = 1
/** People whose last turn is kept; beyond it those whose turn is over are forgotten. */
const MAX_KEPT = 10_000

/** A note in the queue. */
export interface Turn {
  userId: string
  /** The lowest is next. */
  turn: number
}

export type Turns = ReturnType<typeof createTurns>

/**
 * Gives the notes in a queue their turns, so that the people who wait have equal shares of the work. Continues a queue,
 * given in ascending order. Weighs a note by its work: its turn is the turn of the person's previous note plus its length. The
 * clock is the highest turn that was claimed; a turn below it is not given again. Each process keeps its own clock, which
 * begins at the lowest turn that waits and follows all notes that are claimed; a note that another process lets wait is
 * placed here, too, so that a person's notes have one order over all processes.
 */
export function createTurns(queue: Turn[] = []) {
  const last = new Map(queue.map(({ userId, turn }) => [userId, turn]))
  let clock = queue[0]?.turn ?? 0
  return {
    /** The turn of a note with these seconds of work, and whether the person has no other in the queue. */
    placeOf(userId: string, seconds: number): { turn: number; isFirst: boolean } {
      const work = Math.max(MIN_SECONDS, seconds)
      const before = last.get(userId)
      // A person whose note was claimed last does not count yet as one without notes.
      const isFirst = before === undefined || before < clock
      const turn = isFirst ? clock + work * FIRST_SHARE : before + work
      last.set(userId, turn)
      return { turn, isFirst }
    },
    /** The highest turn that was claimed, as far as this process knows. */
    clock: () => clock,
    /** A note with this turn, and these seconds of work, was claimed, here or by another process. */
    reached(turn: number, seconds = 0): void {
      // It goes on with the work, too: else new people could keep it where it is, and a long note behind them for ever.
      clock = Math.max(turn, clock + seconds * FIRST_SHARE)
      if (last.size < MAX_KEPT) return
      for (const [userId, turn] of last) if (turn < clock) last.delete(userId)
    },
  }
}
