import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'

/** Characters above which a text is shown in part. */
const LONG = 420

interface Piece {
  text: string
  found: boolean
  at: number
}

/** Cuts a text at what was searched for: literally, whatever its case. */
export function piecesOf(text: string, search: string): Piece[] {
  if (!search) return [{ text, found: false, at: 0 }]
  const literal = search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  let at = 0
  return text.split(new RegExp(`(${literal})`, 'i')).map((piece, index) => {
    const start = at
    at += piece.length
    return { text: piece, found: index % 2 === 1, at: start }
  })
}

/** Marks what was searched for, as with a pen. The text is never markup. */
export const Searched = ({ text, search }: { text: string; search: string }) =>
  piecesOf(text, search).map(piece =>
    piece.found ? (
      <mark key={piece.at} className="rounded-sm bg-mark text-ink">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  )

/** A transcript. A long one shows its beginning and opens. */
export function TranscriptText({
  text,
  language,
  search,
}: {
  text: string
  language: string
  search: string
}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const long = text.length > LONG
  return (
    <div className="mt-4">
      <p
        id={id}
        dir="auto"
        lang={/^[a-z]{2,3}$/.test(language) ? language : undefined}
        className={classes(
          'max-w-prose whitespace-pre-wrap text-lg leading-relaxed',
          long && !open && 'line-clamp-4',
        )}
      >
        <Searched text={text} search={search} />
      </p>
      {long && (
        <Button
          variant="quiet"
          size="small"
          className="-ml-3 mt-1"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  )
}
