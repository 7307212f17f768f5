import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/action/button.tsx'
import { figure } from '../../ui/figures.ts'
import type { OpenNote } from '../use-open-note.ts'

/** Searches within the note: marks and counts the matches, and moves from one to the next. */
export function SearchRow({ search, setSearch, show, matches, matchAt, region }: OpenNote) {
  const { length: count } = matches
  return (
    <form
      className="flex items-center gap-1.5 py-1"
      onSubmit={event => {
        event.preventDefault()
        if (count) show({ matchAt: (matchAt + 1) % count })
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
          show({ matchAt: 0 })
          setSearch(event.target.value)
        }}
        className="min-h-press min-w-0 grow rounded-control border border-edge bg-surface px-3"
      />
      <span role="status" className="whitespace-nowrap text-soft text-sm tabular-nums">
        {search.trim() &&
          (count
            ? i18n.t('{at} of {count}', { at: figure(matchAt + 1), count: figure(count) })
            : i18n.t('Nothing found'))}
      </span>
      <Button type="submit" size="small" variant="quiet" disabled={!count}>
        {i18n.t('Next match')}
      </Button>
      <Button
        size="small"
        variant="quiet"
        onClick={() => {
          setSearch('')
          show({ isSearching: false })
          region.current?.focus({ preventScroll: true })
        }}
      >
        {i18n.t('Close|search')}
      </Button>
    </form>
  )
}
