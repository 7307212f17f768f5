/**
 * A note of a person who has no other one in the queue counts as this share of its length: it comes before the second
 * note of another person, and a short one before a long one, but a long one is not overtaken for ever.
 */
const FIRST_SHARE = 1 / 20
/** So that notes of no length count, too. */
const MIN_SECONDS = 1
/** People whose last turn is kept; beyond it those whose turn is over are forgotten. */
const MAX_KEPT = 10_000

export interface Place {
  /** The lowest is next. */
  turn: number
  /** Whether the person has no other note in the queue. */
  isFirst: boolean
}

/** A note in the queue. */
export interface Turn {
  userId: string
  turn: number
}

/** Gives the notes in a queue their turns, so that the people who wait have equal shares of the work. */
export interface Turns {
  /** Returns the place of a note with these seconds of work, behind what the person has in the queue. */
  placeOf(userId: string, seconds: number): Place
  /** A note with this turn, and these seconds of work, was claimed, here or by another process. */
  reached(turn: number, seconds?: number): void
}

/**
 * Continues a queue, given in ascending order. Weighs a note by its work: its turn is that of the person's note before, and its length. The clock is the highest turn
 * that was claimed; a turn below it is not given again. Each process keeps its own clock, which begins at the lowest turn
 * that waits and follows all notes that are claimed.
 */
export function createTurns(queue: Turn[] = []): Turns {
  const last = new Map(queue.map(({ userId, turn }) => [userId, turn]))
  let clock = queue[0]?.turn ?? 0
  return {
    placeOf(userId, seconds) {
      const work = Math.max(MIN_SECONDS, seconds)
      const before = last.get(userId)
      // A person whose note was claimed last does not count yet as one without notes.
      const isFirst = before === undefined || before < clock
      const turn = isFirst ? clock + work * FIRST_SHARE : before + work
      last.set(userId, turn)
      return { turn, isFirst }
    },
    reached(turn, seconds = 0) {
      // It goes on with the work, too: else new people could keep it where it is, and a long note behind them for ever.
      clock = Math.max(turn, clock + seconds * FIRST_SHARE)
      if (last.size < MAX_KEPT) return
      for (const [userId, turn] of last) if (turn < clock) last.delete(userId)
    },
  }
}
