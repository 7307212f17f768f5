/** A span of time: from `start` until just before `end`. */
export interface Period {
  start: Date
  end: Date
}

/** Returns the same day and time `count` months later, in UTC, or the last day if that month is too short. */
export function monthsAfter(anchor: Date, count: number): Date {
  const result = new Date(anchor)
  result.setUTCDate(1)
  result.setUTCMonth(result.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate()
  result.setUTCDate(Math.min(anchor.getUTCDate(), lastDay))
  return result
}

/** Returns the month around `at`, counted from the anchor; the first month if `at` is before the anchor. */
export function monthAround(anchor: Date, at: Date): Period {
  const months =
    (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth()
  const begun = monthsAfter(anchor, months).getTime() <= at.getTime()
  const count = Math.max(0, begun ? months : months - 1)
  return { start: monthsAfter(anchor, count), end: monthsAfter(anchor, count + 1) }
}
