import { useRef } from 'react'
import { Button } from '../ui/button.tsx'

/** Leads from one match to the next, for a person who comes from a search. */
export function FoundHere({ search, onClear }: { search: string; onClear(): void }) {
  const at = useRef(-1)
  const goOn = () => {
    const marks = document.querySelectorAll('section[aria-label=Transcript] mark')
    at.current = (at.current + 1) % (marks.length || 1)
    const mark = marks[at.current]
    mark?.scrollIntoView({ block: 'center', behavior: 'smooth' })
    mark?.animate([{ outline: '3px solid var(--accent)' }, { outline: '3px solid transparent' }], 2_000)
  }
  return (
    <p className="my-3 flex flex-wrap items-center gap-2 text-sm">
      <span className="wrap-anywhere">
        Highlighted: <mark className="rounded-sm bg-mark text-ink">{search}</mark>
      </span>
      <Button size="small" variant="quiet" onClick={goOn}>
        Next match
      </Button>
      <Button size="small" variant="quiet" onClick={onClear}>
        Clear highlights
      </Button>
    </p>
  )
}
