import type { Segment } from '@voxscribe/contracts/http'
import type { TextRange } from '@voxscribe/contracts/search-words'
import { timeAt, wordsIn } from '@voxscribe/contracts/text'
import { Fragment, useMemo } from 'react'
import { Marked, within } from '../../note/searched.tsx'
import { classes } from '../../ui/classes.ts'
import { type Player, usePlayerState } from '../player/player.ts'

interface SpokenTextProps {
  segment: Segment
  player: Player | null
  onPlay(from: number): void
  spoken: boolean
  found: TextRange[]
  /** The beginning of the current match. */
  current: number | undefined
}

/** Text whose words play on a click; those with low confidence are underlined. */
export function SpokenText({ segment, player, onPlay, spoken, found, current }: SpokenTextProps) {
  const { text, words, exact } = useMemo(() => placedWords(segment), [segment])
  const isSpoken = usePlayerState(
    spoken && exact ? player : null,
    ({ currentTime }) => words.findLastIndex(word => word.from <= currentTime),
    -1,
  )
  const piece = (from: number, to: number) => (
    <Marked
      text={text.slice(from, to)}
      found={within(found, from, to)}
      current={current === undefined ? undefined : current - from}
    />
  )
  let end = 0
  return (
    <>
      {words.map((word, index) => {
        const before = end
        end = word.at + word.text.length
        return (
          <Fragment key={word.at}>
            {piece(before, word.at)}
            {/* biome-ignore lint/a11y: for pointers only; the button with the time serves keyboards */}
            <span
              onClick={() => onPlay(word.from)}
              className={classes(
                player && 'cursor-pointer hover:bg-wash',
                'rounded-sm transition-colors duration-150',
                index === isSpoken && 'bg-mark',
                // Without the times of words, the whole passage is highlighted.
                spoken && !exact && 'bg-wash',
                isUnsure(word) && 'underline decoration-2 decoration-warn decoration-wavy underline-offset-4',
              )}
            >
              {piece(word.at, end)}
            </span>
          </Fragment>
        )
      })}
      {piece(end, text.length)}
    </>
  )
}

type Word = NonNullable<Segment['words']>[number]

/** Words with a lower confidence are underlined. */
const UNSURE_BELOW = 0.5

interface PlacedWord extends Word {
  at: number
}

/** Returns the text to show: the engine's words, if it returned any. */
export const textOf = ({ text, words }: Segment): string =>
  words?.length ? words.map(word => word.text.trim()).join(' ') : text

/** Splits a segment into words with times. `exact: false`: times estimated from lengths, not for highlighting. */
function placedWords(segment: Segment): { text: string; words: PlacedWord[]; exact: boolean } {
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

const isUnsure = ({ confidence }: Pick<Word, 'confidence'>) =>
  confidence !== null && confidence < UNSURE_BELOW

export const hasUnsureWords = (segments: Segment[]): boolean =>
  segments.some(({ words = [] }) => words.some(isUnsure))
