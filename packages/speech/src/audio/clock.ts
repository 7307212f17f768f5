/** A smaller gap comes from rounded times or the drift of a clock. */
export const GAP_SECONDS = 0.2
/** Seconds by which the rounded stamps of packets deviate from a straight line. */
const ROUNDED_SECONDS = 0.08
/** Gaps on one straight line: so many pauses never are by chance. */
const IN_LINE_MIN = 5
/** Share of all gaps that are on such lines when a clock runs at the wrong rate. */
const IN_LINE_SHARE = 0.75

/**
 * Compares a track's stamps with its samples. A pause is a single step, after which both advance equally. A clock with
 * the wrong rate, as after a change of the sampling rate, leaves gaps on a straight line, or stops after a step.
 */
export function createClock() {
  let gaps = 0
  let inLines = 0
  let isAfterGap = false
  let isBehind = false
  let line = { from: 0, at: 0, least: -Infinity, most: Infinity, gaps: 0 }

  function addToLine(from: number, at: number): void {
    const [sound, passed] = [from - line.from, at - line.at]
    line.least = Math.max(line.least, (passed - ROUNDED_SECONDS) / sound)
    line.most = Math.min(line.most, (passed + ROUNDED_SECONDS) / sound)
    if (!line.gaps || line.least > line.most) line = { from, at, least: -Infinity, most: Infinity, gaps: 0 }
    line.gaps += 1
    if (line.gaps === IN_LINE_MIN) inLines += IN_LINE_MIN
    else if (line.gaps > IN_LINE_MIN) inLines += 1
  }

  return {
    /** Adds a frame by its stamp and the seconds of samples before it. `filled`: seconds of pauses so far. */
    add(at: number, samples: number, filled: number): void {
      const ahead = at - samples - filled
      isBehind ||= filled > 0 && ahead < -GAP_SECONDS
      const isGap = ahead > GAP_SECONDS
      if (isGap) gaps += 1
      // In silence, some phones send a single frame now and then, as evenly as a wrong clock counts.
      if (isGap && !isAfterGap) addToLine(samples, at)
      isAfterGap = isGap
    },
    /** Whether the stamps show pauses that don't exist. */
    isWrong: () => isBehind || inLines > gaps * IN_LINE_SHARE,
  }
}
