import type { Segment } from '@voxscribe/contracts/http'

type Word = NonNullable<Segment['words']>[number]

/** Words with less confidence are underlined. */
const UNSURE_BELOW = 0.5

/** Finds words also where no spaces are written. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

export interface PlacedWord extends Word {
  /** Index in the text. */
  at: number
}

/** Returns the text to show: the engine's words, if it gave any. */
export const textOf = ({ text, words }: Segment): string =>
  words?.length ? words.map(word => word.text.trim()).join(' ') : text

/**
 * Splits a segment into words with times. Without times of the engine, or after a correction, the segment's time is
 * divided by the length of the words (`exact: false`): good enough to play from one, not to highlight it.
 */
export function placedWords(segment: Segment): { text: string; words: PlacedWord[]; exact: boolean } {
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

export const isUnsure = ({ confidence }: Pick<Word, 'confidence'>) =>
  confidence !== null && confidence < UNSURE_BELOW

export const hasUnsureWords = (segments: Segment[]): boolean =>
  segments.some(({ words = [] }) => words.some(isUnsure))
