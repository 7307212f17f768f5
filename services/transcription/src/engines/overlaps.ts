import type { Span } from '../audio/span.ts'
import type { HeardSegment } from './engine.ts'

/** Words of an overlap may be this far outside it by their times, which are estimates. */
const SLACK_SECONDS = 2

interface Stretch extends Span {
  segments: HeardSegment[]
}

interface Word {
  letters: string
  /** Estimated second at which it begins. */
  at: number
  /** Index of its segment, and where it begins in the segment's text. */
  segment: number
  index: number
}

/**
 * Leaves out what was heard twice, in stretches that follow one another: where two overlap, the text changes over in
 * the middle of the longest run of words that both have there, and where they have none, in the middle of the overlap.
 */
export function withoutOverlaps<T extends Stretch>(stretches: T[]): T[] {
  const kept: T[] = []
  for (const stretch of stretches) {
    const last = kept.pop()
    if (!last) kept.push(stretch)
    else kept.push(...(stretch.from < last.to ? changeOver(last, stretch) : [last, stretch]))
  }
  return kept
}

function changeOver<T extends Stretch>(earlier: T, later: T): [T, T] {
  const tail = wordsOf(earlier.segments).filter(({ at }) => at > later.from - SLACK_SECONDS)
  const words = wordsOf(later.segments)
  const head = words.filter(({ at }) => at < earlier.to + SLACK_SECONDS)
  if (!tail.length || !head.length) return [earlier, later]
  const middle = (later.from + earlier.to) / 2
  const [end, start] = middleOfRun(tail, head) ?? [
    tail.find(({ at }) => at >= middle),
    words.find(({ at }) => at >= middle),
  ]
  return [
    { ...earlier, segments: end ? before(earlier.segments, end) : earlier.segments },
    { ...later, segments: start ? after(later.segments, start) : [] },
  ]
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

const wordsOf = (segments: HeardSegment[]): Word[] =>
  segments.flatMap(({ text, from, to }, segment) =>
    [...segmenter.segment(text)]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment: word, index }) => ({
        letters: word.toLowerCase(),
        at: from + ((to - from) * index) / text.length,
        segment,
        index,
      })),
  )

/**
 * The same word in both, in the middle of the longest run that they have in common. Each word of a run counts as much as
 * a second by which it seems to lie apart, or two words that would be left out though the other has not heard them.
 */
function middleOfRun(tail: Word[], head: Word[]): [Word, Word] | undefined {
  let most = 0
  let best: [Word, Word] | undefined
  for (const [first, a] of tail.entries())
    for (const [second, b] of head.entries()) {
      let length = 0
      while (tail[first + length] && tail[first + length]?.letters === head[second + length]?.letters)
        length++
      const lost = wordsLost(tail, head, first, second, length)
      const likely = length - Math.abs(a.at - b.at) - lost / 2
      if (likely <= most) continue
      const half = Math.floor(length / 2)
      most = likely
      best = [tail[first + half] ?? a, head[second + half] ?? b]
    }
  return best
}

/** Words of the head before a run, and of the tail after it, in whose place the other has other words, or none. */
function wordsLost(tail: Word[], head: Word[], first: number, second: number, length: number): number {
  const isOther = (at: number) => tail[first + at]?.letters !== head[second + at]?.letters
  const earlier = Array.from({ length: second }, (_, index) => index - second)
  const later = Array.from({ length: tail.length - first - length }, (_, index) => length + index)
  return [...earlier, ...later].filter(isOther).length
}

const before = (segments: HeardSegment[], { segment, index, at }: Word): HeardSegment[] =>
  segments.slice(0, segment + 1).flatMap((each, which) => {
    if (which < segment) return [each]
    const text = each.text.slice(0, index).trim()
    const words = each.words?.slice(0, countOf(text))
    return text ? [{ ...each, text, to: words?.at(-1)?.to ?? hundredth(at), ...(words && { words }) }] : []
  })

const after = (segments: HeardSegment[], { segment, index, at }: Word): HeardSegment[] =>
  segments.slice(segment).map((each, which) => {
    if (which || !index) return each
    const words = each.words?.slice(countOf(each.text.slice(0, index)))
    const from = words?.[0]?.from ?? hundredth(at)
    return { ...each, text: each.text.slice(index), from, ...(words && { words }) }
  })

const countOf = (text: string) => text.split(/\s+/).filter(Boolean).length
const hundredth = (second: number) => Math.round(second * 100) / 100
