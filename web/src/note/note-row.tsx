import type { Transcription } from '@voxscribe/contracts/http'
import { ENGLISH_ONLY, NO_SPEECH, reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { foundIn, type TextRange } from '@voxscribe/contracts/search-words'
import { audioLength } from '@voxscribe/contracts/wording'
import { Fragment, type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { sourceLabel } from '../language/names.ts'
import { titleForReader } from '../language/title.ts'
import { readStored, writeStored } from '../storage.ts'
import { Spinner } from '../ui/action/button.tsx'
import { classes } from '../ui/classes.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { CrashBoundary } from '../ui/feedback/crash-boundary.tsx'
import { hour, shortMoment } from '../ui/figures.ts'
import { PlayButton, useSound } from './play-button.tsx'
import { Failure, Notice, noticeIn } from './reasons.tsx'
import { RemoveSample } from './remove-sample.tsx'
import { Marked, Searched, useFound, within } from './searched.tsx'

/** Characters of text that a row may show, and those kept before the first match. */
const SHOWN = 300
const LEAD = 30
/** Characters of a text that are searched for its title. */
const LOOKED_AT = 2_000

/** Storage key of the day on which this browser last showed the notice about the installation. */
const HINTED_ON = 'installationToldOn'

/** Returns true on the first call of a day, and records that day. */
function isFirstToday(): boolean {
  const today = new Date().toDateString()
  const isFirst = readStored(HINTED_ON) !== today
  writeStored(HINTED_ON, today)
  return isFirst
}

/** The notice about the installation above a list or a note, shown once a day in each browser. */
export const ListNotice = ({ notes }: { notes: Pick<Transcription, 'notices'>[] }) =>
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
  /** Whether the row shows its day, because no heading above it does. */
  dated?: boolean
  children?: ReactNode
}

/** A note in a list. A note that can't be rendered, for example because a field is missing, fails alone. */
export const NoteRow = (props: NoteRowProps) => (
  <CrashBoundary
    place={`${props.note.status} ${props.note.version}`}
    fallback={<p className="py-3 text-soft">{i18n.t('This note couldn’t be shown.')}</p>}
  >
    <Row {...props} />
  </CrashBoundary>
)

function Row({ note, search = '', dated = false, children }: NoteRowProps) {
  const { id, fileName, audioAvailable } = note
  const sound = useSound()
  const title = titleForReader(note.title, note.notices)
  const list = useLocation().search
  const words = search && `?${new URLSearchParams({ search })}`
  // A title with matches isn't truncated.
  const cut = useFound(title, search).length > 0 ? 'wrap-anywhere line-clamp-3' : 'truncate'
  return (
    <article aria-labelledby={`${id}-name`} className="@container flex items-start gap-0.5 py-1">
      {children}
      {audioAvailable ? (
        <PlayButton id={id} title={title} sound={sound} />
      ) : (
        <span className="w-10 shrink-0" />
      )}
      {/* The facts are columns if there is room, else they precede the gray line; in large letters on a phone, they sit
          above it. */}
      <div className="grid min-w-0 flex-1 items-baseline gap-x-2 @3xs:grid-cols-[auto_minmax(0,1fr)] @3xl:grid-cols-[minmax(0,1fr)_22rem] @3xl:gap-x-6">
        <div className="flex min-w-0 items-center gap-2 @3xs:col-span-2 @3xl:col-span-1 [&>span]:font-medium">
          <h3
            dir="auto"
            lang={titleTag(note)}
            className={`text-beside min-w-0 flex-1 font-medium font-sans text-base leading-[1.5rem] tracking-normal ${cut}`}
          >
            <Link
              id={`${id}-name`}
              to={`/transcriptions/${id}${words}`}
              state={{ list }}
              // Text that is cut off would lie under the buttons on a page of the other writing direction.
              className={`block hover:underline ${cut}`}
            >
              <Searched text={title} search={search} />
            </Link>
          </h3>
          {note.sample ? <Badge>{i18n.t('Sample')}</Badge> : <State of={note.status} />}
        </div>
        <Columns note={note} dated={dated} />
        <Line note={note} title={title} search={search} />
        <div className="min-w-0 @3xs:col-span-2 @3xl:col-span-1 @3xl:col-start-1">
          {/* The file's name is shown under another title only if the search matched it. */}
          {fileName !== note.title && foundIn(fileName, search).length > 0 && (
            <p dir="auto" className="wrap-anywhere text-beside text-soft text-sm">
              <Searched text={fileName} search={search} />
            </p>
          )}
          <Remarks note={note} />
          {note.sample && <RemoveSample id={id} />}
        </div>
      </div>
    </article>
  )
}

function State({ of }: { of: Transcription['status'] }) {
  if (of === 'completed') return <span className="sr-only">{i18n.t('Completed|note')}</span>
  if (of === 'failed') return <Badge tone="bad">{i18n.t('Failed|note')}</Badge>
  return (
    <Badge tone="accent">
      <Spinner />
      {i18n.t('Processing')}
    </Badge>
  )
}

/** The note's source, length and time, as columns. */
function Columns({ note, dated }: { note: Transcription; dated: boolean }) {
  const { source, createdAt } = note
  return (
    <dl
      className={classes(
        'flex flex-wrap gap-x-2 whitespace-nowrap text-soft text-sm tabular-nums @3xl:grid @3xl:gap-x-3',
        dated ? '@3xl:grid-cols-[minmax(0,1fr)_5rem_8rem]' : '@3xl:grid-cols-[minmax(0,1fr)_5rem_6rem]',
      )}
    >
      <div className="@max-3xl:sr-only @3xl:truncate">
        <dt className="sr-only">{i18n.t('Source')}</dt>
        <dd className="truncate">{source && sourceLabel(source)}</dd>
      </div>
      {lengthOf(note) && (
        <div className="order-1 @3xl:order-none @3xl:text-end">
          <dt className="sr-only">{i18n.t('Length')}</dt>
          <dd>{lengthOf(note)}</dd>
        </div>
      )}
      <div className="@3xl:col-start-3 @3xl:text-end">
        <dt className="sr-only">{i18n.t('Received')}</dt>
        <dd>
          <time dateTime={createdAt}>{dated ? shortMoment(createdAt) : hour(createdAt)}</time>
        </dd>
      </div>
    </dl>
  )
}

/** The line below the title: the text after the words that the title already shows, then the tags. */
function Line({ note, title, search }: { note: Transcription; title: string; search: string }) {
  const { text, status, language, tags = [] } = note
  const rest = note.titleFrom === 'text' ? restOf(text, title) : text
  const isComing = status === 'processing' && !text && !noticeIn(note)
  return (
    <div className="flex min-w-0 items-baseline gap-x-2 text-soft text-sm @3xl:col-start-1 @3xl:row-start-2">
      {isComing && <p className="truncate">{i18n.t('The text will appear here automatically.')}</p>}
      {/[\p{L}\p{N}]/u.test(rest) && <FirstLine text={rest} language={language} search={search} />}
      {tags.length > 0 && (
        <p className="min-w-0 shrink-0 truncate text-accent not-first:max-w-1/2 first:max-w-full">
          {tags.map(tag => (
            <Fragment key={tag}>
              {/* In a right-to-left line, a space between isolates would move to the edge. */}
              <bdi className="me-1">#{tag}</bdi>{' '}
            </Fragment>
          ))}
        </p>
      )}
    </div>
  )
}

/** Returns the text after the part that its title repeats. */
function restOf(text: string, title: string): string {
  const line = text.slice(0, LOOKED_AT).replace(/\s+/g, ' ')
  const at = line.indexOf(title)
  return at < 0 ? text : line.slice(at + title.length).replace(/^[^\p{L}\p{N}]+/u, '')
}

/** Notices that a row omits or words differently. */
const UNSAID = [ENGLISH_ONLY, NO_SPEECH]

/** Notices about a note's text, or the reason why it has none. */
function Remarks({ note }: { note: Transcription }) {
  const { status, notices } = note
  const isSilent = notices?.some(({ code }) => code === NO_SPEECH)
  const others = noticeIn({ ...note, notices: notices?.filter(({ code }) => !UNSAID.includes(code)) })
  const notice = [isSilent && i18n.t('No speech found. This note was free.'), others]
    .filter(Boolean)
    .join(' ')
  return (
    <>
      {notice && (
        <p className="text-soft text-xs [&_a]:font-normal">
          <Notice {...note}>{notice}</Notice>
        </p>
      )}
      {status === 'failed' && (
        <p className="text-bad text-sm max-sm:line-clamp-2">
          <Failure {...note} />
        </p>
      )}
    </>
  )
}

/** The beginning of a text, or the part around the first match. */
function FirstLine({ text, language, search }: { text: string; language: string; search: string }) {
  const found = useFound(text, search)
  const begin = excerptFrom(text, found)
  return (
    <p
      dir="auto"
      lang={languageTag(language)}
      className={classes('min-w-0', found.length ? 'line-clamp-2' : 'line-clamp-1')}
    >
      {begin > 0 && '… '}
      <Marked text={text.slice(begin, begin + SHOWN)} found={within(found, begin, begin + SHOWN)} />
    </p>
  )
}

/** Returns the value for `lang`; undefined for `auto`. */
export const languageTag = (language: string) => (/^[a-z]{2,3}$/.test(language) ? language : undefined)

/** Returns the value for a title's `lang`. Only a title taken from the text is known to be in the note's language. */
export const titleTag = ({ titleFrom, language }: Pick<Transcription, 'titleFrom' | 'language'>) =>
  titleFrom === 'text' ? languageTag(language) : undefined

/** `1h 2m 3s`; empty while unknown. */
export const lengthOf = ({ durationSeconds }: Pick<Transcription, 'durationSeconds'>) =>
  durationSeconds == null ? '' : audioLength(i18n, durationSeconds)

/** Returns the index at which an excerpt must begin to show the first match; the start of a word if possible. */
export function excerptFrom(text: string, [first]: TextRange[]): number {
  if (!first || first.from <= LEAD) return 0
  const lead = text.slice(first.from - LEAD, first.from)
  const space = lead.search(/\s/)
  // An excerpt must not begin in the middle of a surrogate pair.
  const isHalf = /^[\udc00-\udfff]/.test(lead)
  return first.from - LEAD + (space < 0 ? Number(isHalf) : space + 1)
}
