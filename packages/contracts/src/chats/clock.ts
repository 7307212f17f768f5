const DAY_MS = 86_400_000
/** Offsets of time zones change only at quarters of an hour, so they are cached by quarter. */
const QUARTER_MS = 900_000

/** Returns a function from an instant to the time zone's offset at that instant, both in milliseconds. */
function offsets(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const known = new Map<number, number>()
  return (instant: number): number => {
    const quarter = Math.floor(instant / QUARTER_MS) * QUARTER_MS
    const before = known.get(quarter)
    if (before !== undefined) return before
    const [month, day, year, hour, minute, second] = format.format(quarter).match(/\d+/g)!.map(Number)
    const offset = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - quarter
    known.set(quarter, offset)
    return offset
  }
}

/**
 * Returns a function that converts the wall-clock times of a chat, in order, to instants. `wall` is the time as if it
 * were UTC. A time that occurs twice is the earlier instant, unless the previous message is later than that.
 */
export function createClock(timeZone: string): (wall: number) => number {
  const offsetAt = offsets(timeZone)
  let last = Number.NEGATIVE_INFINITY
  return wall => {
    const before = offsetAt(wall - DAY_MS)
    const after = offsetAt(wall + DAY_MS)
    const [first, second] = [wall - Math.max(before, after), wall - Math.min(before, after)]
    const isFirst = wall - first === offsetAt(first)
    const isSecond = wall - second === offsetAt(second)
    if (isFirst && isSecond) last = first < last ? second : first
    // A time that the clock skips is read with the offset from before the change.
    else last = isFirst ? first : isSecond ? second : wall - before
    return last
  }
}
