import { HISTORY_PAGE_SIZE } from '@voxscribe/contracts/business'
import { useEffect, useRef } from 'react'
import { useDeletedIds } from '../transcript/note/deletions.ts'
import { ListNotice, NoteRow } from '../transcript/note/note-row.tsx'
import { useTranscriptions } from '../transcript/note/transcriptions.ts'
import { LoadError } from '../ui/load-error.tsx'
import { Page } from '../ui/page.tsx'
import { Pages } from '../ui/pages.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { BringIn } from '../upload/bring-in.tsx'
import { ChosenNotes } from './chosen-notes.tsx'
import { EmptyHistory, NothingFound } from './empty-history.tsx'
import { isAll, queryOf } from './history-address.ts'
import { HistoryFilters } from './history-filters.tsx'
import { StatTiles } from './stat-tiles.tsx'
import { useChoice } from './use-choice.ts'
import { useHistoryView } from './use-history-view.ts'

export default function HistoryScreen() {
  const history = useHistoryView()
  const list = useTranscriptions({ ...queryOf(history.view), limit: HISTORY_PAGE_SIZE })
  const results = useRef<HTMLElement>(null)
  const focusResults = () => results.current?.focus({ preventScroll: true })
  useLastPageInstead(list.isPlaceholderData ? undefined : list.data?.pagination.totalPages, history)
  return (
    <Page
      title="Transcription history"
      intro={
        <span className="max-sm:hidden">Everything you’ve sent, as text. It updates automatically.</span>
      }
    >
      <BringIn className="mt-3 sm:mt-6" compact />
      <StatTiles statistics={list.data?.statistics} failed={list.isError} />
      <HistoryFilters wanted={history.wanted} onChange={history.change} onClear={history.clear} />
      <LoadError of={[list]} fallback="Failed to fetch transcriptions" />
      <section
        ref={results}
        tabIndex={-1}
        aria-label="Transcriptions"
        aria-busy={list.isPlaceholderData}
        className="mt-1 scroll-mt-20 focus:outline-none sm:mt-4"
      >
        {list.isPending && <Skeletons className="gap-3" heights={['h-20', 'h-20', 'h-20']} />}
        {list.data && <Results {...list.data} history={history} onReplaced={focusResults} />}
        {list.data && (
          <Pages
            {...list.data.pagination}
            busy={list.isPlaceholderData}
            onOpen={page => {
              history.openPage(page)
              results.current?.scrollIntoView()
              focusResults()
            }}
          />
        )}
      </section>
    </Page>
  )
}

type View = ReturnType<typeof useHistoryView>

interface ResultsProps extends NonNullable<ReturnType<typeof useTranscriptions>['data']> {
  history: View
  /** Called when the element that had the focus is gone. */
  onReplaced(): void
}

function Results({ transcriptions, statistics, pagination, history, onReplaced }: ResultsProps) {
  const { view } = history
  const deleted = useDeletedIds()
  const notes = transcriptions.filter(({ id }) => !deleted.has(id))
  const choice = useChoice(
    notes.map(({ id }) => id),
    view,
  )
  const clear = () => {
    history.clear()
    onReplaced()
  }
  if (pagination.total === 0) return isAll(view) ? <EmptyHistory /> : <NothingFound onClear={clear} />
  return (
    <>
      <p role="status" className="sr-only">
        {pagination.totalIsMinimum && 'More than '}
        {pagination.total === 1 ? '1 transcription' : `${pagination.total} transcriptions`},{' '}
        {statistics.processing} in progress
      </p>
      <ListNotice notes={notes} />
      {(notes.length > 0 || choice.ids.size > 0) && (
        <ChosenNotes choice={choice} total={pagination.total} onDeleted={onReplaced} />
      )}
      <ul className="divide-y divide-line border-line border-y">
        {notes.map(note => (
          <li key={note.id}>
            <NoteRow note={note} search={view.search}>
              <label className="-ms-2 grid h-11 w-9 shrink-0 cursor-pointer place-items-center">
                <input
                  type="checkbox"
                  className="size-5 accent-accent"
                  aria-label={`Select ${note.title}`}
                  checked={choice.ids.has(note.id)}
                  onChange={() => {}}
                  onClick={event => choice.tick(note.id, event.shiftKey)}
                />
              </label>
            </NoteRow>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A page that no longer exists (its last note was deleted, an old link) leads to the last one that does. */
function useLastPageInstead(totalPages: number | undefined, { view, openPage }: View) {
  const beyond = totalPages !== undefined && view.page > Math.max(1, totalPages)
  useEffect(() => {
    if (beyond) openPage(Math.max(1, totalPages), { replace: true })
  })
}
