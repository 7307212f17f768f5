import { useRef } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/action/button.tsx'
import type { OpenNote } from '../use-open-note.ts'

/** Searches within the note: marks what is found, and leads from one match to the next. */
export function SearchRow({ search, setSearch, setSearching }: OpenNote) {
  const at = useRef(-1)
  const goOn = () => {
    const marks = document.querySelectorAll('#transcript mark')
    at.current = (at.current + 1) % (marks.length || 1)
    const mark = marks[at.current]
    mark?.scrollIntoView({ block: 'center', behavior: 'smooth' })
    mark?.animate([{ outline: '3px solid var(--color-accent)' }, { outline: '3px solid transparent' }], 2_000)
  }
  return (
    <form
      className="flex items-center gap-1.5 py-1"
      onSubmit={event => {
        event.preventDefault()
        goOn()
      }}
    >
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: it appears because its button was pressed
        autoFocus={!search}
        aria-label={i18n.t('Search in this note')}
        placeholder={i18n.t('Search in this note')}
        maxLength={200}
        dir="auto"
        defaultValue={search}
        onChange={event => {
          at.current = -1
          setSearch(event.target.value)
        }}
        className="min-h-9 min-w-0 grow rounded-control border border-edge bg-surface px-3"
      />
      <Button type="submit" size="small" variant="quiet" disabled={!search.trim()}>
        {i18n.t('Next match')}
      </Button>
      <Button
        size="small"
        variant="quiet"
        aria-label={i18n.t('Clear highlights')}
        onClick={() => {
          setSearch('')
          setSearching(false)
          document.getElementById('transcript')?.focus({ preventScroll: true })
        }}
      >
        {i18n.t('Close')}
      </Button>
    </form>
  )
}
