import type { Segment } from '@voxscribe/contracts/http'
import { timeAt, wordsIn } from '@voxscribe/contracts/text'

type Word = NonNullable<Segment['words']>[number]

/** Words with less confidence are underlined. */
const UNSURE_BELOW = 0.5

export interface PlacedWord extends Word {
  at: number
}

/** Returns the text to show: the engine's words, if it gave any. */
export const textOf = ({ text, words }: Segment): string =>
  words?.length ? words.map(word => word.text.trim()).join(' ') : text

/** Splits a segment into words with times; `exact: false`: divided by their length, to play from, not to highlight. */
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
  const after = (letters: number) => timeAt({ from, to }, letters, text.length)
  const placed = wordsIn(text).map(({ segment: word, index: at }) => ({
    text: word,
    at,
    from: after(at),
    to: after(at + word.length),
    confidence: null,
  }))
  return { text, words: placed, exact: false }
}

export const isUnsure = ({ confidence }: Pick<Word, 'confidence'>) =>
  confidence !== null && confidence < UNSURE_BELOW

export const hasUnsureWords = (segments: Segment[]): boolean =>
  segments.some(({ words = [] }) => words.some(isUnsure))
