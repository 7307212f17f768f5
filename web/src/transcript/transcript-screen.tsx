import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { languageName } from '@voxscribe/contracts/languages'
import { TITLE_MAX } from '@voxscribe/contracts/limits'
import { useRef } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { titleForReader } from '../language/title.ts'
import { Again } from '../note/again.tsx'
import { lengthOf, titleTag } from '../note/note-row.tsx'
import { useTranscript } from '../note/queries.ts'
import { Searched } from '../note/searched.tsx'
import { TextLink } from '../ui/action/button.tsx'
import { classes } from '../ui/classes.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { day, shortMoment } from '../ui/figures.ts'
import { InlineInput } from '../ui/form/field.tsx'
import { Row } from '../ui/layout/details.tsx'
import { Facts } from '../ui/layout/facts.tsx'
import { PageTitle } from '../ui/layout/page.tsx'
import { Gist } from './derived/gist.tsx'
import { Dock } from './dock/dock.tsx'
import { NoteDetails } from './note-details.tsx'
import { BackToPlaying } from './player/following.tsx'
import { WhoSpeaks } from './speakers/who-speaks.tsx'
import { Tags } from './tags.tsx'
import { Doubts } from './text/doubts.tsx'
import { TranscriptBody, Views } from './text/transcript-body.tsx'
import { type OpenNote, useOpenNote } from './use-open-note.ts'

export default function TranscriptScreen() {
  const { id = '' } = useParams()
  const { state } = useLocation()
  const transcript = useTranscript(id)
  const config = useConfig()
  // Only with a text model is there a row above the text.
  const isModelUnknown = config.isLoading && !config.failureCount
  const isComing = transcript.isPending || (isModelUnknown && !transcript.isError)
  const isMissing = Object(transcript.error).status === 404
  return (
    <div className="page py-2 max-sm:pb-40 sm:py-4">
      <TextLink
        to={`/transcription-history${Object(state).list ?? ''}`}
        className="print:hidden inline-block py-1 text-sm"
      >
        {i18n.t('All transcriptions')}
      </TextLink>
      {isMissing ? (
        <Missing />
      ) : (
        <LoadError of={[transcript]} fallback={i18n.t('Failed to load the transcript')} />
      )}
      {isComing && <Skeletons className="mt-4 gap-4" heights={['h-10 w-2/3', 'h-28', 'h-64']} />}
      {transcript.data && !isMissing && !isComing && (
        <Note key={id} document={transcript.data} onStale={() => void transcript.refetch()} />
      )}
    </div>
  )
}

const Missing = () => (
  <>
    <PageTitle title={i18n.t('This transcript doesn’t exist')} className="mt-4" />
    <p className="mt-3 text-lg text-soft">
      {i18n.t('It may have been deleted, or it belongs to another account.')}
    </p>
  </>
)

function Note({ document, onStale }: { document: TranscriptionDocument; onStale(): void }) {
  const note = useOpenNote(document, onStale)
  const isOwn = !document.sample
  return (
    <article>
      <Title {...note} />
      <InChat {...document} />
      <div className="mt-1 flex min-h-press flex-wrap items-center gap-x-3">
        <Facts
          look="small"
          facts={[
            [i18n.t('Received'), !isDated(note) && shortMoment(document.createdAt)],
            [i18n.t('Length'), lengthOf(document)],
          ]}
        />
        {!isOwn && <Badge>{i18n.t('Sample')}</Badge>}
        {isOwn && note.isPlain && <Language {...note} />}
        {!note.isShort && <Views {...note} />}
      </div>
      <Dock {...note} />
      {/* On a wide screen, what was made from the text is beside it, not above. */}
      <div className="lg:mt-4 lg:grid lg:grid-cols-[minmax(0,1fr)_19rem] lg:grid-rows-[auto_1fr] lg:gap-x-12">
        <aside aria-label={i18n.t('About this note')} className="lg:col-start-2">
          <Doubts {...note} />
          <Gist {...note} />
          {isOwn && <WhoSpeaks {...note} />}
        </aside>
        <TranscriptBody {...note} />
        {isOwn && (
          <div className="max-lg:mt-6 lg:col-start-2">
            <Tags {...note} />
            {!note.isPlain && (
              <Row name={i18n.t('Language')} value={languageOf(document)}>
                <Language {...note} />
              </Row>
            )}
            {!note.isPlain && <NoteDetails {...note} />}
          </div>
        )}
      </div>
      <BackToPlaying {...note.following} />
    </article>
  )
}

/** Links to the note's place in its chat. */
function InChat({ conversation, sender, createdAt }: TranscriptionDocument) {
  if (!conversation) return null
  const { id, name, n } = conversation
  // Each name is isolated, so that one in another script keeps its place.
  const [chat, person] = [name, sender?.name].map(called => `\u2068${called}\u2069`)
  return (
    <p className="wrap-anywhere text-sm">
      <TextLink to={`/conversations/${id}${n ? `?n=${n}` : ''}`} className="inline-block py-1">
        {sender
          ? i18n.t('{person}, {day}, in {chat}', { person: person!, day: day(createdAt), chat: chat! })
          : i18n.t('In {chat}', { chat: chat! })}
      </TextLink>
    </p>
  )
}

const languageOf = ({ language }: TranscriptionDocument) =>
  language === 'auto' ? i18n.t('Not known') : languageName(i18n, language)

/** The detected language, which opens another transcription. Beside the length, an unknown one is just "Language". */
function Language({ document, isPlain }: OpenNote) {
  const language = isPlain && document.language === 'auto' ? i18n.t('Language') : languageOf(document)
  return document.status !== 'processing' && document.audioAvailable ? (
    <Again {...document} label={isPlain ? language : undefined} />
  ) : (
    <p className="text-soft text-sm">{languageOf(document)}</p>
  )
}

/** Whether the date replaces a title taken from the text: a short text is in view, so its words would appear twice. */
const isDated = ({ isShort, document }: OpenNote) => isShort && document.titleFrom === 'text'

/** Letters of a title that fit into one line on a narrow phone. */
const ONE_LINE = 20

/** The page's heading, which can be edited in place. Enter saves, Escape cancels. */
function Title(note: OpenNote) {
  const { document, search, isRenaming, show, corrections } = note
  const title = isDated(note)
    ? shortMoment(document.createdAt)
    : titleForReader(document.title, document.notices)
  const wasRenamed = useRef(false)
  if (!isRenaming) {
    return (
      <PageTitle
        title={title}
        takesFocus={wasRenamed.current}
        className={classes(
          'wrap-anywhere cut-beside print:line-clamp-none pb-0.5 max-sm:text-xl sm:text-3xl max-[22.5rem]:text-lg',
          // The text that the title comes from is below.
          document.titleFrom === 'text' ? 'line-clamp-1' : 'line-clamp-2 sm:line-clamp-1',
        )}
      >
        <span
          dir="auto"
          lang={isDated(note) ? undefined : titleTag(document)}
          // A title that is cut on a phone starts at its own language's side; otherwise the ellipsis would be outside
          // the page.
          className={classes('block', title.length > ONE_LINE ? 'sm:text-beside' : 'text-beside')}
        >
          <Searched text={title} search={search} />
        </span>
      </PageTitle>
    )
  }
  const save = (typed: string) => {
    wasRenamed.current = true
    show({ isRenaming: false })
    const next = typed.replace(/\s+/g, ' ').trim()
    if (next && next !== title) corrections.acts.retitle(next)
  }
  return (
    <h1>
      <InlineInput
        aria-label={i18n.t('Title')}
        defaultValue={title}
        maxLength={TITLE_MAX}
        onFocus={event => event.currentTarget.select()}
        onDone={save}
        className="w-full rounded-control border border-edge bg-surface px-3 py-1 font-display font-semibold text-xl sm:text-3xl"
      />
    </h1>
  )
}
