import type { Statistics } from '@voxscribe/contracts/http'
import { HISTORY_PAGE_SIZE, SEARCH_MAX } from '@voxscribe/contracts/limits'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { titleForReader } from '../language/title.ts'
import { AskNotes, isQuestion, useAnswer } from '../note/ask-notes.tsx'
import { useDeletedIds, useDeletedSince } from '../note/deletions.ts'
import { HistoryTabs } from '../note/history-tabs.tsx'
import { ListNotice, NoteRow } from '../note/note-row.tsx'
import { useTranscriptions } from '../note/transcriptions.ts'
import { Button, ButtonLink } from '../ui/action/button.tsx'
import { Pages } from '../ui/action/pages.tsx'
import { dropSecondClick } from '../ui/action/second-click.ts'
import { useKeys } from '../ui/action/use-keys.ts'
import { classes } from '../ui/classes.ts'
import { LoadError, Skeleton, Skeletons } from '../ui/feedback/loading.tsx'
import { dayName, figure } from '../ui/figures.ts'
import { Page } from '../ui/layout/page.tsx'
import { BringIn } from '../upload/bring-in.tsx'
import { ChosenNotes, useChoice } from './chosen-notes.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { isUnfiltered, MORE, queryOf, useHistoryView } from './history-view.ts'

/** With fewer notes, only the search is offered. */
const FILTERED_FROM = 10

export default function HistoryScreen() {
  const history = useHistoryView()
  const list = useTranscriptions({ ...queryOf(history.view), limit: HISTORY_PAGE_SIZE })
  const results = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(() => MORE.some(name => history.view[name]))
  const { search, tag, from, to } = history.view
  const within = { tag, from, to }
  // If no note has the words of a question, only the question and its answer are shown.
  const question = useAnswer(search, within)
  const isAsked = question.isFetching || question.data !== undefined
  const step = (by: number) => () => {
    const links = [...(results.current?.querySelectorAll<HTMLElement>('h3 a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by]?.focus()
  }
  useKeys(key => (key === 'j' ? step(1) : key === 'k' && step(-1)))
  const focusResults = () => results.current?.focus({ preventScroll: true })
  useLastPageInstead(list.isPlaceholderData ? undefined : list.data?.pagination.totalPages, history)
  return (
    <Page
      title={i18n.t('Transcription history')}
      intro={
        <span className="max-sm:hidden">
          {i18n.t('Everything you’ve sent, as text. It updates automatically.')}
        </span>
      }
    >
      <button type="button" className="link sr-only focus:not-sr-only" onClick={focusResults}>
        {i18n.t('Skip to the list')}
      </button>
      <HistoryTabs />
      <BringIn className="mt-2 sm:mt-4" />
      {/* Open filters take the whole width, with the figures below them. */}
      <div className={classes(!isOpen && 'lg:flex lg:items-end lg:gap-6')}>
        <HistoryFilters
          wanted={history.wanted}
          onChange={history.change}
          onClear={history.clear}
          hasMany={(list.data?.statistics?.total ?? 0) >= FILTERED_FROM}
          isOpen={isOpen}
          onOpen={setOpen}
        />
        <StatTiles {...list.data} failed={list.isError} asked={isOpen} />
      </div>
      {isQuestion(search) && <AskNotes key={search} question={search} within={within} />}
      <LoadError of={[list]} fallback={i18n.t('Failed to fetch transcriptions')} />
      <section
        // A new key lets the results replace the skeletons instead of moving with them.
        key={String(list.isPending)}
        ref={results}
        tabIndex={-1}
        aria-label={i18n.t('Transcriptions')}
        aria-busy={list.isPlaceholderData}
        // Old results are dimmed while new ones load.
        className="mt-1 scroll-mt-20 transition-opacity focus:outline-none aria-busy:opacity-50 sm:mt-3"
      >
        {list.isPending && <Skeletons className="gap-3" heights={['h-20', 'h-20', 'h-20']} />}
        {list.data && !(isAsked && list.data.pagination.total === 0) && (
          <Results {...list.data} history={history} onReplaced={focusResults} />
        )}
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

interface StatTilesProps {
  statistics?: Statistics | undefined
  askedAt?: number
  failed: boolean
  /** On a phone the figures appear only while a note is processing, or on request. */
  asked: boolean
}

/** Figures of the whole account, regardless of the search. */
function StatTiles({ statistics, askedAt = 0, failed, asked }: StatTilesProps) {
  // A deletion that can still be undone counts as soon as its notes have left the list.
  const gone = useDeletedSince(askedAt)
  const count = (name: 'total' | 'completed' | 'processing', of: Statistics) =>
    figure(of[name] - gone.filter(({ status }) => name === 'total' || name === status).length)
  return (
    <dl
      className={classes(
        'mt-2 grid shrink-0 grid-cols-[repeat(3,auto)] divide-x divide-line sm:mt-3 lg:mb-2 lg:w-112',
        !statistics?.processing && !asked && 'max-sm:hidden',
      )}
    >
      {([/*i18n*/ 'total', /*i18n*/ 'completed', /*i18n*/ 'processing'] as const).map(name => (
        <div key={name} className="flex min-w-0 flex-wrap items-baseline gap-x-1 px-1.5 first:ps-0 sm:px-4">
          <dt className="text-soft text-xs first-letter:uppercase sm:text-base">{i18n.t(name)}</dt>
          <dd className="font-display font-semibold tabular-nums sm:text-xl">
            {statistics ? count(name, statistics) : failed ? '–' : <Skeleton className="h-5 w-8" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Empty = ({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) => (
  <div className="mt-4 grid justify-items-center gap-3 rounded-card border border-edge/50 border-dashed px-3 py-14 text-center">
    <h2 className="text-xl">{title}</h2>
    <p className="max-w-md text-soft">{children}</p>
    <div className="mt-2">{action}</div>
  </div>
)

type View = ReturnType<typeof useHistoryView>

interface ResultsProps extends NonNullable<ReturnType<typeof useTranscriptions>['data']> {
  history: View
  /** Called when the focused element disappears. */
  onReplaced(): void
}

function Results({ transcriptions, statistics, pagination, suggestion, history, onReplaced }: ResultsProps) {
  const { view } = history
  const { total } = pagination
  const busy = figure(statistics.processing)
  const deleted = useDeletedIds()
  const notes = transcriptions.filter(({ id }) => !deleted.has(id))
  const choice = useChoice(
    notes.filter(({ sample }) => !sample),
    view,
  )
  const isNothingFound = total === 0 && !isUnfiltered(view)
  return (
    <>
      <p role="status" className="sr-only">
        {isNothingFound
          ? i18n.t('Nothing found')
          : pagination.totalIsMinimum
            ? i18n.t(
                '{total, plural, one {More than # transcription, {busy} in progress} other {More than # transcriptions, {busy} in progress}}',
                { total, busy },
              )
            : i18n.t(
                '{total, plural, one {# transcription, {busy} in progress} other {# transcriptions, {busy} in progress}}',
                { total, busy },
              )}
      </p>
      {isNothingFound && <NothingFound suggestion={suggestion} history={history} onCleared={onReplaced} />}
      <ListNotice notes={notes} />
      {choice.notes.size > 0 && <ChosenNotes choice={choice} total={total} onGone={onReplaced} />}
      {!notes.length && total > 0 && (
        <p className="pb-3 text-soft">{i18n.t('The notes on this page have been deleted.')}</p>
      )}
      {[...Map.groupBy(notes, ({ createdAt }) => dayName(createdAt))].map(([name, notes]) => (
        <section key={name} aria-label={name}>
          <h2 className="mt-4 mb-1 font-medium font-sans text-sm text-soft tracking-normal">{name}</h2>
          <ul onClickCapture={dropSecondClick} className="divide-y divide-line border-line border-y">
            {notes.map(note => (
              <li key={note.id}>
                <NoteRow note={note} search={view.search.slice(0, SEARCH_MAX)}>
                  {note.sample ? (
                    <span className="-ms-2 size-11 shrink-0" />
                  ) : (
                    <label className="-ms-2 grid size-11 shrink-0 cursor-pointer place-items-center">
                      <input
                        type="checkbox"
                        className="size-5 accent-accent"
                        aria-label={i18n.t('Select {title}', {
                          title: titleForReader(note.title, note.notices),
                        })}
                        checked={choice.notes.has(note.id)}
                        onChange={() => {}}
                        onClick={event => choice.toggleNote(note.id, event.shiftKey)}
                      />
                    </label>
                  )}
                </NoteRow>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {total === 0 && !isNothingFound && (
        <Empty
          title={i18n.t('No transcriptions yet')}
          action={<ButtonLink to="/dashboard">{i18n.t('Show the number')}</ButtonLink>}
        >
          {i18n.t(
            'Send a voice note to our WhatsApp number. It appears here within seconds, with its text soon after.',
          )}
        </Empty>
      )}
    </>
  )
}

interface NothingFoundProps {
  suggestion: ResultsProps['suggestion']
  history: View
  onCleared(): void
}

const NothingFound = ({ suggestion, history, onCleared }: NothingFoundProps) => (
  <Empty
    title={i18n.t('Nothing found')}
    action={
      <div className="flex flex-wrap justify-center gap-3">
        {suggestion && (
          <Button onClick={() => history.change({ search: suggestion })}>
            {i18n.t('Search for “{words}”', { words: suggestion })}
          </Button>
        )}
        <Button
          variant="secondary"
          onClick={() => {
            history.clear()
            onCleared()
          }}
        >
          {i18n.t('Clear search and filters')}
        </Button>
      </div>
    }
  >
    {i18n.t('Nothing matches. Search looks for all the words in text, title and file name.')}
  </Empty>
)

/** Goes from a page that no longer exists (its last note was deleted, an old link) to the last one that does. */
function useLastPageInstead(totalPages: number | undefined, { view, openPage }: View) {
  const beyond = totalPages !== undefined && view.page > Math.max(1, totalPages)
  useEffect(() => {
    if (beyond) openPage(Math.max(1, totalPages), { replace: true })
  })
}
