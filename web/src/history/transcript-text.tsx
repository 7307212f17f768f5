import type { Stretch } from '@voxscribe/contracts/search-words'
import { useId, useState } from 'react'
import { Marked, useFound, within } from '../transcript/note/searched.tsx'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'

/** Length in characters above which only a part of the text is shown. */
const LONG = 420
/** Characters shown before the first match, so few that it is visible on a narrow screen. */
const LEAD = 60

interface TranscriptTextProps {
  text: string
  language: string
  search: string
}

/** A transcript; a long one is cut to its beginning or first match until it is opened. */
export function TranscriptText({ text, language, search }: TranscriptTextProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const found = useFound(text, search)
  const long = text.length > LONG
  const begin = long && !open ? excerptFrom(text, found) : 0
  const end = long && !open ? begin + LONG : text.length
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
        {begin > 0 && '… '}
        <Marked text={text.slice(begin, end)} found={within(found, begin, end)} />
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

/** Returns the index from which to show a long text so that its first match is visible; at a word if possible. */
export function excerptFrom(text: string, [first]: Stretch[]): number {
  if (!first || first.from <= LEAD) return 0
  const lead = text.slice(first.from - LEAD, first.from)
  const space = lead.search(/\s/)
  // Never between the halves of one character.
  const isHalf = /^[\udc00-\udfff]/.test(lead)
  return first.from - LEAD + (space < 0 ? Number(isHalf) : space + 1)
}
