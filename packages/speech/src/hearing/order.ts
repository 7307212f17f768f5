import type { Span } from '../audio/levels.ts'
import { hundredth, type RawSegment } from '../engines/engine.ts'

const SHORTEST_SECONDS = 0.01

/** Makes the times of segments and words ascending and within the note. */
export const withOrderedTimes = <T extends RawSegment>(
  segments: readonly T[],
  noteSeconds: number | null,
): T[] =>
  timed(segments, noteSeconds).map(segment =>
    segment.words ? { ...segment, words: timed(segment.words, noteSeconds) } : segment,
  )

function timed<T extends Span>(spans: readonly T[], noteSeconds: number | null): T[] {
  const end = Math.max(noteSeconds ?? Number.POSITIVE_INFINITY, SHORTEST_SECONDS)
  let latest = 0
  return spans.map(span => {
    latest = Math.min(Math.max(span.from, latest), end - SHORTEST_SECONDS)
    const to = Math.max(Math.min(span.to, end), latest + SHORTEST_SECONDS)
    return { ...span, from: hundredth(latest), to: hundredth(to) }
  })
}
