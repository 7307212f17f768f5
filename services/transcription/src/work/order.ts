/**
 * A note of a person who has none in line counts as so much of its length: it comes before every second note of somebody
 * else's, and a short one before a long one, but a long one is not overtaken for ever.
 */
const FIRST_SHARE = 1 / 20
/** So that notes of no length count, too. */
const LEAST_SECONDS = 1
/** People whose last place is kept; those whose turn is over are forgotten beyond it. */
const MOST_KEPT = 10_000

export interface Place {
  /** The lowest is next. */
  turn: number
  /** Whether the person has no other note in line. */
  isFirst: boolean
}

/** Order of the notes that wait for the same thing, by people's turns: their shares of the work are the same. */
export interface Order {
  /** Returns the place of a note with so many seconds of work behind what the person has in line. */
  placeOf(userId: string, seconds: number): Place
  /** Says that a note with this turn, and so many seconds of work, is taken. */
  reached(turn: number, seconds: number): void
}

/**
 * Weighs a note by the work it makes: the place of a person's note is that of the one before, and its length. A line
 * that has moved on does not give back a turn that nobody was there to take. Each process keeps its own clock, which
 * follows the notes it takes; all take from the same line, so the clocks keep together.
 */
export function createOrder(): Order {
  let clock = 0
  const last = new Map<string, number>()
  return {
    placeOf(userId, seconds) {
      const work = Math.max(LEAST_SECONDS, seconds)
      const before = last.get(userId)
      // Whose note was the last one taken is not yet as good as somebody who has none.
      const isFirst = before === undefined || before < clock
      const turn = isFirst ? clock + work * FIRST_SHARE : before + work
      last.set(userId, turn)
      return { turn, isFirst }
    },
    reached(turn, seconds) {
      // It goes on with the work, too: else new people could keep it where it is, and a long note behind them for ever.
      clock = Math.max(turn, clock + seconds * FIRST_SHARE)
      if (last.size < MOST_KEPT) return
      for (const [userId, at] of last) if (at < clock) last.delete(userId)
    },
  }
}
