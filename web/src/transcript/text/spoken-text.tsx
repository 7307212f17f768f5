import type { Segment } from '@voxscribe/contracts/http'
import { Fragment, useMemo } from 'react'
import { classes } from '../../ui/classes.ts'
import { Marked, Searched, useFound, within } from '../note/searched.tsx'
import { type Player, usePlayerState } from '../player/player.ts'
import { isUnsure, placedWords, textOf, wordAt } from './words.ts'

interface SpokenTextProps {
  segment: Segment
  player: Player | null
  onPlay(from: number): void
  spoken: boolean
  search: string
}

/** Text without clickable words, for passages out of sight: two hours have about 20,000 words. */
export const PlainText = ({ segment, search }: Pick<SpokenTextProps, 'segment' | 'search'>) => (
  <Searched text={textOf(segment)} search={search} />
)

/** Text whose words play on a click; those with low confidence are underlined. */
export function SpokenText({ segment, player, onPlay, spoken, search }: SpokenTextProps) {
  const { text, words, exact } = useMemo(() => placedWords(segment), [segment])
  const found = useFound(text, search)
  const isSpoken = usePlayerState(
    spoken && exact ? player : null,
    ({ currentTime }) => wordAt(words, currentTime),
    -1,
  )
  const piece = (from: number, to: number) =>
    found.length ? (
      <Marked text={text.slice(from, to)} found={within(found, from, to)} />
    ) : (
      text.slice(from, to)
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
                index === isSpoken && 'rounded-sm bg-mark',
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
