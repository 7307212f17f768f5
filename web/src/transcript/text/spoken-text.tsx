import type { Segment } from '@voxscribe/contracts/http'
import type { Stretch } from '@voxscribe/contracts/search-words'
import { Fragment, useMemo } from 'react'
import { Marked, within } from '../../note/searched.tsx'
import { classes } from '../../ui/classes.ts'
import { type Player, usePlayerState } from '../player/player.ts'
import { isUnsure, placedWords } from './words.ts'

interface SpokenTextProps {
  segment: Segment
  player: Player | null
  onPlay(from: number): void
  spoken: boolean
  found: Stretch[]
  /** The beginning of the match that the person is at. */
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
                // Without times of words the passage lights up.
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
