import { timeAt, wordsIn } from '@voxscribe/contracts/text'
import type { Span } from '../audio/levels.ts'
import { hundredth, type RawSegment } from './engine.ts'

/** Tolerance of the estimated times of words in an overlap. */
const SLACK_SECONDS = 2

interface HeardSpan extends Span {
  segments: RawSegment[]
}

interface Word {
  letters: string
  /** Estimated start in seconds. */
  at: number
  /** Index of its segment, and its offset in the segment's text. */
  segment: number
  index: number
}

/** Removes what overlapping spans repeat: the text switches over in the middle of their common words. */
export function withoutOverlaps<T extends HeardSpan>(spans: T[]): T[] {
  const kept: T[] = []
  for (const span of spans) {
    const last = kept.pop()
    if (!last) kept.push(span)
    else kept.push(...(span.from < last.to ? changeOver(last, span) : [last, span]))
  }
  return kept
}

/** Returns a span's text up to the words that a later span, which begins at `later`, may change. */
export function withoutTail(segments: RawSegment[], later: number): RawSegment[] {
  const first = wordsOf(segments).find(({ at }) => at > later - SLACK_SECONDS)
  return first ? before(segments, first) : segments
}

function changeOver<T extends HeardSpan>(earlier: T, later: T): [T, T] {
  const tail = wordsOf(earlier.segments).filter(({ at }) => at > later.from - SLACK_SECONDS)
  const words = wordsOf(later.segments)
  const head = words.filter(({ at }) => at < earlier.to + SLACK_SECONDS)
  if (!tail.length || !head.length) return [earlier, later]
  const middle = (later.from + earlier.to) / 2
  const [end, start] = middleOfRun(tail, head) ?? [
    tail.find(({ at }) => at >= middle),
    words.find(({ at }) => at >= middle),
  ]
  const [ends, begins] = meeting(
    end ? before(earlier.segments, end) : earlier.segments,
    start ? after(later.segments, start) : [],
  )
  return [
    { ...earlier, segments: ends },
    { ...later, segments: begins },
  ]
}

/** Makes two texts meet at one time, because the estimated end and start differ. */
function meeting(ends: RawSegment[], begins: RawSegment[]): [RawSegment[], RawSegment[]] {
  const [last, first] = [ends.at(-1), begins[0]]
  if (!last || !first || (last.words && last.to <= first.from)) return [ends, begins]
  const border = hundredth(Math.min(first.to, Math.max(last.from, (last.to + first.from) / 2)))
  return [
    [...ends.slice(0, -1), { ...last, to: border }],
    [{ ...first, from: border }, ...begins.slice(1)],
  ]
}

const wordsOf = (segments: RawSegment[]): Word[] =>
  segments.flatMap(({ text, from, to }, segment) =>
    wordsIn(text).map(({ segment: word, index }) => ({
      letters: word.toLowerCase(),
      at: timeAt({ from, to }, index, text.length),
      segment,
      index,
    })),
  )

/**
 * Returns the same word of both, in the middle of their best common run. Scores +1 per word, -1 per second between the
 * two, and -1/2 per word before the run in the head, or after it in the tail, that the other side lacks.
 */
function middleOfRun(tail: Word[], head: Word[]): [Word, Word] | undefined {
  let most = 0
  let best: [Word, Word] | undefined
  for (const [first, a] of tail.entries())
    for (const [second, b] of head.entries()) {
      let length = 0
      while (tail[first + length] && tail[first + length]?.letters === head[second + length]?.letters)
        length++
      const shift = first - second
      const isOther = (_: unknown, at: number) => tail[shift + at]?.letters !== head[at]?.letters
      const lost = Array.from({ length: tail.length - shift }).filter(isOther).length
      const score = length - Math.abs(a.at - b.at) - lost / 2
      if (score <= most) continue
      const half = Math.floor(length / 2)
      most = score
      best = [tail[first + half] ?? a, head[second + half] ?? b]
    }
  return best
}

const before = (segments: RawSegment[], { segment, index, at }: Word): RawSegment[] =>
  segments.slice(0, segment + 1).flatMap((each, which) => {
    if (which < segment) return [each]
    const text = each.text.slice(0, index).trim()
    const words = each.words?.slice(0, wordCount(text))
    return text ? [{ ...each, text, to: words?.at(-1)?.to ?? hundredth(at), ...(words && { words }) }] : []
  })

const after = (segments: RawSegment[], { segment, index, at }: Word): RawSegment[] =>
  segments.slice(segment).map((each, which) => {
    if (which || !index) return each
    const words = each.words?.slice(wordCount(each.text.slice(0, index)))
    const from = words?.[0]?.from ?? hundredth(at)
    return { ...each, text: each.text.slice(index), from, ...(words && { words }) }
  })

const wordCount = (text: string) => text.split(/\s+/).filter(Boolean).length
