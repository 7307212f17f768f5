import type { Transcription } from '@voxscribe/contracts/http'
import { ENGLISH_ONLY, reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { foundIn, type Stretch } from '@voxscribe/contracts/search-words'
import { audioLength } from '@voxscribe/contracts/wording'
import { Fragment, type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { titleForReader } from '../language/title.ts'
import { readStored, writeStored } from '../storage.ts'
import { Spinner } from '../ui/action/spinner.tsx'
import { classes } from '../ui/classes.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { CrashBoundary } from '../ui/feedback/crash-boundary.tsx'
import { percent, shortMoment } from '../ui/figures.ts'
import { Facts } from '../ui/layout/facts.tsx'
import { Failure } from './failure.tsx'
import { Notice, noticeIn } from './notice.tsx'
import { PlayButton } from './play-button.tsx'
import { Marked, Searched, useFound, within } from './searched.tsx'

/** Characters of the text that a row may show, and of those before the first match. */
const SHOWN = 300
const LEAD = 30

/** The browser's entry for the day on which it has shown the notice about the installation. */
const HINTED_ON = 'installationToldOn'

/** Whether the notice has not been shown today; from then on it has. */
function isFirstToday(): boolean {
  const today = new Date().toDateString()
  const isFirst = readStored(HINTED_ON) !== today
  writeStored(HINTED_ON, today)
  return isFirst
}

/** The notice about the installation, above a list or a note: once a day and browser. */
export const ListNotice = ({ notes }: { notes: Transcription[] }) =>
  notes.some(({ notices }) => notices?.some(({ code }) => code === ENGLISH_ONLY)) && <NoticeOfDay />

function NoticeOfDay() {
  const [isShown] = useState(isFirstToday)
  return (
    isShown && <p className="mt-1 text-warn text-xs sm:text-sm">{sentenceOf(i18n, reason(ENGLISH_ONLY))}</p>
  )
}

interface NoteRowProps {
  note: Transcription
  search?: string
  children?: ReactNode
}

/** A note in a list. One that can't be shown, for example because its answer lacks a field, fails alone. */
export const NoteRow = (props: NoteRowProps) => (
  <CrashBoundary
    place={`${props.note.status} ${props.note.version}`}
    fallback={<p className="py-3 text-soft">{i18n.t('This note couldn’t be shown.')}</p>}
  >
    <Row {...props} />
  </CrashBoundary>
)

function Row({ note, search = '', children }: NoteRowProps) {
  const { id, fileName, audioAvailable, status, text, tags = [] } = note
  const title = titleForReader(note.title, note.notices)
  const isFromText = note.titleFrom === 'text' && !search
  const titled = isFromText ? text.indexOf(title) : -1
  const rest = titled < 0 ? '' : text.slice(titled + title.length, titled + title.length + SHOWN)
  const list = useLocation().search
  const words = search && `?${new URLSearchParams({ search })}`
  return (
    <article aria-labelledby={`${id}-name`} className="@container flex items-start gap-0.5 py-1">
      {children}
      {audioAvailable ? <PlayButton id={id} title={title} /> : <span className="w-10 shrink-0" />}
      {/* Facts stand beside the words if there is room. */}
      <div className="min-w-0 flex-1 @3xl:grid @3xl:grid-cols-[minmax(0,1fr)_20rem] @3xl:gap-x-6">
        <div className="min-w-0">
          <div className="flex items-start gap-2">
            {/* The title is cut by the width, and the text goes on with the first word that had no room. */}
            <div
              dir="auto"
              lang={titleTag(note)}
              className={classes(
                'wrap-anywhere text-beside min-w-0 flex-1 overflow-hidden leading-[1.5rem] first-line:font-semibold',
                isFromText ? 'max-h-[3rem]' : 'truncate',
              )}
            >
              <h3
                className={classes(
                  'font-sans text-base [font-weight:inherit] [letter-spacing:inherit] [line-height:inherit]',
                  isFromText && 'inline',
                )}
              >
                <Link
                  id={`${id}-name`}
                  to={`/transcriptions/${id}${words}`}
                  state={{ list }}
                  // What is cut off would lie under the buttons of a page that runs the other way.
                  className={classes('hover:underline', !isFromText && 'block truncate')}
                >
                  <Searched text={title} search={search} />
                </Link>
              </h3>
              {/[\p{L}\p{N}]/u.test(rest) && <span>{rest}</span>}
            </div>
            <State of={status} />
          </div>
          {/* Under another title, the file's name is shown only when the search has matched it. */}
          {fileName !== note.title && foundIn(fileName, search).length > 0 && (
            <p dir="auto" className="wrap-anywhere text-beside text-soft text-sm">
              <Searched text={fileName} search={search} />
            </p>
          )}
          <Words {...note} search={search} isFromText={isFromText} />
        </div>
        <div className="flex min-w-0 gap-x-2 text-xs @3xl:block @3xl:pt-1">
          <Facts look="small" facts={factsOf(note)} className="max-w-full shrink-0" />
          {tags.length > 0 && (
            <p className="min-w-0 truncate text-accent">
              {tags.map(tag => (
                <Fragment key={tag}>
                  {/* A line that runs from the right lets a space between isolates fall to its edge. */}
                  <bdi className="me-1">#{tag}</bdi>{' '}
                </Fragment>
              ))}
            </p>
          )}
        </div>
      </div>
    </article>
  )
}

function State({ of }: { of: Transcription['status'] }) {
  if (of === 'failed') return <Badge tone="bad">{i18n.t('Failed|note')}</Badge>
  if (of === 'completed')
    return (
      <span className="text-soft text-xs">
        <span aria-hidden="true">✓</span>
        <span className="sr-only">{i18n.t('Completed|note')}</span>
      </span>
    )
  return (
    <Badge tone="accent">
      <Spinner />
      {i18n.t('Processing')}
    </Badge>
  )
}

/** The text's first line, or why there is none, and what has to be known about it. */
function Words({ search, isFromText, ...note }: Transcription & { search: string; isFromText: boolean }) {
  const { status, text, language, notices } = note
  const notice = noticeIn({ ...note, notices: notices?.filter(({ code }) => code !== ENGLISH_ONLY) })
  return (
    <>
      {text && !isFromText && <FirstLine text={text} language={language} search={search} />}
      {status === 'processing' && !notice && !text && (
        <p className="text-soft text-sm">{i18n.t('The text will appear here automatically.')}</p>
      )}
      {notice && (
        <p className="text-soft text-sm">
          <Notice {...note}>
            {notices?.some(({ code }) => code === 'no_speech')
              ? i18n.t('{notice}. This note was free.', { notice })
              : notice}
          </Notice>
        </p>
      )}
      {status === 'failed' && (
        <p className="font-medium text-bad text-sm max-sm:line-clamp-2">
          <Failure {...note} />
        </p>
      )}
    </>
  )
}

interface FirstLineProps {
  text: string
  language: string
  search: string
}

/** The beginning of a text, or where the search has found something. */
function FirstLine({ text, language, search }: FirstLineProps) {
  const found = useFound(text, search)
  const begin = excerptFrom(text, found)
  return (
    <p
      dir="auto"
      lang={languageTag(language)}
      className={classes(
        'text-beside cut-beside leading-[1.5rem]',
        found.length ? 'line-clamp-2' : 'line-clamp-1',
      )}
    >
      {begin > 0 && '… '}
      <Marked text={text.slice(begin, begin + SHOWN)} found={within(found, begin, begin + SHOWN)} />
    </p>
  )
}

/** The value of `lang`; undefined for `auto`. */
export const languageTag = (language: string) => (/^[a-z]{2,3}$/.test(language) ? language : undefined)

/** The same of a title: only one from the text is known to be in the note's language. */
export const titleTag = ({ titleFrom, language }: Pick<Transcription, 'titleFrom' | 'language'>) =>
  titleFrom === 'text' ? languageTag(language) : undefined

/** `1h 2m 3s`; empty while unknown. */
export const lengthOf = ({ durationSeconds }: Pick<Transcription, 'durationSeconds'>) =>
  durationSeconds == null ? '' : audioLength(i18n, durationSeconds)

/** Returns the index from which to show a long text so that its first match is visible; at a word if possible. */
export function excerptFrom(text: string, [first]: Stretch[]): number {
  if (!first || first.from <= LEAD) return 0
  const lead = text.slice(first.from - LEAD, first.from)
  const space = lead.search(/\s/)
  // Never between the halves of one character.
  const isHalf = /^[\udc00-\udfff]/.test(lead)
  return first.from - LEAD + (space < 0 ? Number(isHalf) : space + 1)
}

/** Word count and confidence belong to completed ones only. */
function factsOf(note: Transcription): [string, ReactNode][] {
  const { status, wordCount, confidenceScore, createdAt } = note
  const completed = status === 'completed'
  return [
    [i18n.t('Length'), lengthOf(note)],
    [
      i18n.t('Received'),
      <time key="time" dateTime={createdAt}>
        {shortMoment(createdAt)}
      </time>,
    ],
    [
      i18n.t('Words'),
      completed && i18n.t('{count, plural, one {# word} other {# words}}', { count: wordCount }),
    ],
    [i18n.t('Confidence'), completed && percent(confidenceScore)],
  ]
}
