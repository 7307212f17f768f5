import type { Transcription } from '@voxscribe/contracts/http'
import { sentenceOf } from '@voxscribe/contracts/reasons'
import { foundIn, type Stretch } from '@voxscribe/contracts/search-words'
import { english } from '@voxscribe/languages'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { Badge } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { CrashBoundary } from '../../ui/crash-boundary.tsx'
import { Facts } from '../../ui/facts.tsx'
import { figure, percent, shortMoment } from '../../ui/figures.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Failure } from './failure.tsx'
import { PlayButton } from './play-button.tsx'
import { Marked, Searched, useFound, within } from './searched.tsx'

/** Characters of the text that a row may show, and of those before the first match. */
const SHOWN = 300
const LEAD = 30
const ENGLISH_ONLY = sentenceOf(english, { code: 'english_only' })

/** The notice about the installation, shown once above a list. */
export const ListNotice = ({ notes }: { notes: Transcription[] }) =>
  notes.some(({ noticeCodes }) => noticeCodes?.includes('english_only')) && (
    <p className="mt-1 text-warn text-xs sm:text-sm">{ENGLISH_ONLY}</p>
  )

interface NoteRowProps {
  note: Transcription
  search?: string
  children?: ReactNode
}

/** A note in a list. One that can't be shown, for example because its answer lacks a field, fails alone. */
export const NoteRow = (props: NoteRowProps) => (
  <CrashBoundary
    place={`${props.note.status} ${props.note.version}`}
    fallback={<p className="py-3 text-soft">This note couldn’t be shown.</p>}
  >
    <Row {...props} />
  </CrashBoundary>
)

function Row({ note, search = '', children }: NoteRowProps) {
  const { id, title, fileName, audioAvailable, status } = note
  const list = useLocation().search
  const words = search && `?${new URLSearchParams({ search })}`
  return (
    <article aria-labelledby={`${id}-name`} className="flex items-start gap-0.5 py-1.5">
      {children}
      {audioAvailable ? <PlayButton id={id} title={title} /> : <span className="w-10 shrink-0" />}
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <h3
            id={`${id}-name`}
            className="min-w-0 flex-1 truncate font-sans font-semibold text-base leading-6 tracking-normal"
          >
            <Link to={`/transcriptions/${id}${words}`} state={{ list }} className="hover:underline">
              <bdi>
                <Searched text={title} search={search} />
              </bdi>
            </Link>
          </h3>
          {STATES[status]}
        </div>
        {/* Under another title, the file's name is shown only when the search has matched it. */}
        {fileName !== title && foundIn(fileName, search).length > 0 && (
          <p className="wrap-anywhere text-soft text-sm">
            <Searched text={fileName} search={search} />
          </p>
        )}
        <Words {...note} search={search} />
        <Facts look="small" className="mt-0.5" facts={factsOf(note)} />
      </div>
    </article>
  )
}

const STATES = {
  failed: <Badge tone="bad">Failed</Badge>,
  completed: (
    <span className="text-soft text-xs">
      <span aria-hidden="true">✓</span>
      <span className="sr-only">Completed</span>
    </span>
  ),
  processing: (
    <Badge tone="accent">
      <Spinner />
      Processing
    </Badge>
  ),
}

/** The text's first line, or why there is none, and what has to be known about it. */
function Words({ search, ...note }: Transcription & { search: string }) {
  const { status, text, language, noticeCodes, sameAs } = note
  const titled = note.titleFrom === 'text' ? note.title.replace(/…$/, '') : ''
  const notice = note.notice?.replace(ENGLISH_ONLY, '').trim()
  return (
    <>
      {text && <FirstLine text={text} after={search ? '' : titled} language={language} search={search} />}
      {status === 'processing' && !notice && !text && (
        <p className="text-soft text-sm">The text will appear here automatically.</p>
      )}
      {notice && (
        <p className="text-soft text-sm">
          {sameAs ? <TextLink to={`/transcriptions/${sameAs}`}>{notice}</TextLink> : notice}
          {noticeCodes.includes('no_speech') && '. This note was free.'}
        </p>
      )}
      {status === 'failed' && (
        <p className="font-medium text-bad text-sm">
          <Failure {...note} />
        </p>
      )}
    </>
  )
}

interface FirstLineProps {
  text: string
  /** Words that are in the title already. */
  after: string
  language: string
  search: string
}

/** The beginning of a text, or where the search has found something. */
function FirstLine({ text, after, language, search }: FirstLineProps) {
  const found = useFound(text, search)
  const titled = after ? text.indexOf(after) : -1
  const begin = titled < 0 ? excerptFrom(text, found) : titled + after.length
  if (titled >= 0 && !/[\p{L}\p{N}]/u.test(text.slice(begin))) return null
  return (
    <p
      dir="auto"
      lang={languageTag(language)}
      className={classes('leading-6', found.length ? 'line-clamp-2' : 'line-clamp-1')}
    >
      {begin > 0 && '… '}
      <Marked text={text.slice(begin, begin + SHOWN)} found={within(found, begin, begin + SHOWN)} />
    </p>
  )
}

/** The value of `lang`; undefined for `auto`. */
export const languageTag = (language: string) => (/^[a-z]{2,3}$/.test(language) ? language : undefined)

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
  const { status, audioLength, wordCount, confidenceScore, createdAt } = note
  const completed = status === 'completed'
  return [
    ['Length', audioLength],
    [
      'Received',
      <time key="time" dateTime={createdAt}>
        {shortMoment(createdAt)}
      </time>,
    ],
    ['Words', completed && (wordCount === 1 ? '1 word' : `${figure(wordCount)} words`)],
    ['Confidence', completed && percent(confidenceScore)],
  ]
}
