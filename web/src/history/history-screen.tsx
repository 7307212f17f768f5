import { useEffect, useRef, useState } from 'react'
import { Card } from '../ui/card.tsx'
import { CrashBoundary } from '../ui/crash-boundary.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { Page } from '../ui/page.tsx'
import { Pages } from '../ui/pages.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { BringIn } from '../upload/bring-in.tsx'
import { ChosenNotes } from './chosen-notes.tsx'
import { EmptyHistory, NothingFound } from './empty-history.tsx'
import { isAll } from './history-address.ts'
import { HistoryFilters } from './history-filters.tsx'
import { StatTiles } from './stat-tiles.tsx'
import { TranscriptCard } from './transcript-card.tsx'
import { useTranscriptions } from './transcriptions.ts'
import { useHistoryView } from './use-history-view.ts'

export default function HistoryScreen() {
  const history = useHistoryView()
  const list = useTranscriptions(history.view)
  const results = useRef<HTMLElement>(null)
  const focusResults = () => results.current?.focus({ preventScroll: true })
  useLastPageInstead(list.isPlaceholderData ? undefined : list.data?.pagination.totalPages, history)
  return (
    <Page title="Transcription history" intro="Everything you’ve sent, as text. It updates automatically.">
      <BringIn className="mt-6" compact />
      <StatTiles statistics={list.data?.statistics} failed={list.isError} />
      <HistoryFilters wanted={history.wanted} onChange={history.change} onClear={history.clear} />
      <LoadError of={[list]} fallback="Failed to fetch transcriptions" />
      <section
        ref={results}
        tabIndex={-1}
        aria-label="Transcriptions"
        aria-busy={list.isPlaceholderData}
        className="mt-6 scroll-mt-20 focus:outline-none"
      >
        {list.isPending && <Skeletons className="gap-4" heights={['h-48', 'h-48', 'h-48']} />}
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
  const [ticked, setTicked] = useState<string[]>([])
  // Actions apply only to notes that are in view.
  const chosen = transcriptions.map(({ id }) => id).filter(id => ticked.includes(id))
  const tick = (id: string) =>
    setTicked(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id])
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
      <ChosenNotes ids={chosen} onDone={() => setTicked([])} />
      <ul className="grid grid-cols-1 gap-4">
        {transcriptions.map(transcription => (
          <li key={transcription.id}>
            <label className="flex min-h-11 w-fit items-center gap-2 pe-3 text-soft text-sm">
              <input
                type="checkbox"
                className="size-5 accent-accent"
                aria-label={`Select ${transcription.title}`}
                checked={chosen.includes(transcription.id)}
                onChange={() => tick(transcription.id)}
              />
              Select
            </label>
            <CrashBoundary
              place={`${transcription.status} ${transcription.version}`}
              fallback={<BrokenCard />}
            >
              <TranscriptCard transcription={transcription} search={view.search} onGone={onReplaced} />
            </CrashBoundary>
          </li>
        ))}
      </ul>
    </>
  )
}

const BrokenCard = () => <Card>This note couldn’t be shown.</Card>

/** A page that no longer exists (its last note was deleted, an old link) leads to the last one that does. */
function useLastPageInstead(totalPages: number | undefined, { view, openPage }: View) {
  const beyond = totalPages !== undefined && view.page > Math.max(1, totalPages)
  useEffect(() => {
    if (beyond) openPage(Math.max(1, totalPages), { replace: true })
  })
}
