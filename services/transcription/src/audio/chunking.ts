import { STEPS_PER_SECOND } from './levels.ts'

export interface Span {
  /** Seconds from the beginning. */
  from: number
  to: number
}

/** A pause is looked for in this last share of a part. */
const LAST_SHARE = 0.3
/** No part is shorter: engines refuse a tenth of a second, and no one says a sentence in it. */
const SHORTEST_SECONDS = 1
/** Steps on each side that count for how quiet a place is: a pause between sentences, not between syllables. */
const AROUND = 2

/**
 * Cuts audio into parts of at most `maxSeconds`, each at the quietest place near its end, so that no word is cut in
 * two. The same audio is always cut at the same places.
 */
export function cutAtPauses(levels: number[], seconds: number, maxSeconds: number): Span[] {
  const spans: Span[] = []
  let from = 0
  while (seconds - from > maxSeconds) {
    const earliest = Math.floor((from + maxSeconds * (1 - LAST_SHARE)) * STEPS_PER_SECOND)
    const latest = Math.floor(Math.min(from + maxSeconds, seconds - SHORTEST_SECONDS) * STEPS_PER_SECOND)
    const to = quietest(levels, earliest, latest) / STEPS_PER_SECOND
    spans.push({ from, to })
    from = to
  }
  return [...spans, { from, to: seconds }]
}

function quietest(levels: number[], earliest: number, latest: number): number {
  let best = latest
  let least = Number.POSITIVE_INFINITY
  for (let step = earliest + 1; step <= latest; step++) {
    const around = levels.slice(Math.max(0, step - AROUND), step + AROUND)
    const loudness = around.reduce((sum, level) => sum + level, 0) / Math.max(1, around.length)
    if (loudness <= least) {
      least = loudness
      best = step
    }
  }
  return best
}
