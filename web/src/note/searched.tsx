import { foundIn, type TextRange } from '@voxscribe/contracts/search-words'
import { useMemo } from 'react'
import { goTo } from '../ui/layout/go-to.ts'

/** Finds a search's matches in a text, by the same rule as the server. */
export const useFound = (text: string, search: string): TextRange[] =>
  useMemo(() => foundIn(text, search), [text, search])

/** Marks ranges of a text, which is never markup. The page scrolls to the range that begins at `current`. */
export function Marked({
  text,
  found,
  current,
}: {
  text: string
  found: TextRange[]
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

export const Searched = ({ text, search }: { text: string; search: string }) => (
  <Marked text={text} found={useFound(text, search)} />
)

/** Returns the ranges between two places of a text, relative to the first place. */
export const within = (found: TextRange[], from: number, to: number): TextRange[] =>
  found
    .filter(range => range.to > from && range.from < to)
    .map(range => ({ from: Math.max(range.from, from) - from, to: Math.min(range.to, to) - from }))
