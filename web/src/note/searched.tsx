import { foundIn, type Stretch } from '@voxscribe/contracts/search-words'
import { useMemo } from 'react'
import { goTo } from '../ui/layout/go-to.ts'

/** Finds a search's matches in a text, by the same rule as the server. */
export const useFound = (text: string, search: string): Stretch[] =>
  useMemo(() => foundIn(text, search), [text, search])

/** Marks stretches of a text, which is never markup. The page scrolls to the stretch that begins at `current`. */
export function Marked({
  text,
  found,
  current,
}: {
  text: string
  found: Stretch[]
  current?: number | undefined
}) {
  let end = 0
  const pieces = found.map(({ from, to }) => {
    const before = text.slice(end, from)
    end = to
    return [
      before,
      <mark
        key={from}
        ref={from === current ? goTo : undefined}
        aria-current={from === current || undefined}
        className="rounded-sm bg-mark text-ink aria-[current]:outline-2 aria-[current]:outline-accent"
      >
        {text.slice(from, to)}
      </mark>,
    ]
  })
  return [...pieces, text.slice(end)]
}

interface SearchedProps {
  text: string
  search: string
  current?: number | undefined
}
export const Searched = ({ text, search, current }: SearchedProps) => (
  <Marked text={text} found={useFound(text, search)} current={current} />
)

/** Returns the stretches between two places of a text, relative to the first place. */
export const within = (found: Stretch[], from: number, to: number): Stretch[] =>
  found
    .filter(stretch => stretch.to > from && stretch.from < to)
    .map(stretch => ({ from: Math.max(stretch.from, from) - from, to: Math.min(stretch.to, to) - from }))
