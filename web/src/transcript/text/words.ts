import type { Segment } from '@voxscribe/contracts/http'

type Word = NonNullable<Segment['words']>[number]

/** Below this an engine is unsure of a word. */
const UNSURE_BELOW = 0.5

/** Finds words also where no spaces are written. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

export interface PlacedWord extends Word {
  /** The index in the text at which it begins. */
  at: number
}

/** The text as it is shown: the engine's words where it gave any. */
export const textOf = ({ text, words }: Segment): string =>
  words?.length ? words.map(word => word.text.trim()).join(' ') : text

/**
 * A segment as its words, each in its place. Where the engine gave no times for them, or a person has corrected them,
 * the segment's time is laid over them by their length: good enough to hear one, not to mark it while it is spoken.
 */
export function placedWords(segment: Segment): {
  text: string
  words: PlacedWord[]
  exact: boolean
} {
  const { from, to, words } = segment
  const text = textOf(segment)
  if (words?.length) {
    let end = -1
    const placed = words.map(word => {
      const trimmed = word.text.trim()
      const at = end + 1
      end = at + trimmed.length
      return { ...word, text: trimmed, at }
    })
    return { text, words: placed, exact: true }
  }
  const timeAt = (at: number) => from + ((to - from) * at) / (text.length || 1)
  const placed = [...segmenter.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment: word, index: at }) => ({
      text: word,
      at,
      from: timeAt(at),
      to: timeAt(at + word.length),
      confidence: null,
    }))
  return { text, words: placed, exact: false }
}

export const wordAt = (words: { from: number }[], time: number) =>
  words.findLastIndex(word => word.from <= time)

export const isUnsure = ({ confidence }: Pick<Word, 'confidence'>) =>
  confidence !== null && confidence < UNSURE_BELOW

export const hasUnsureWords = (segments: Segment[]): boolean =>
  segments.some(({ words = [] }) => words.some(isUnsure))
