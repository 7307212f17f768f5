import type { Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { ApiError } from '../api/errors.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Facts } from '../ui/facts.tsx'
import { clock, moment, percent } from '../ui/figures.ts'
import { LoadError } from '../ui/load-error.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { useCorrections } from './correct/use-corrections.ts'
import { engineLabel } from './engine-label.ts'
import { ExportMenu } from './export-menu.tsx'
import { FoundHere } from './found-here.tsx'
import { Again } from './note/again.tsx'
import { DeleteNote } from './note/delete-note.tsx'
import { sourceLabel } from './note/source-label.ts'
import { useTranscript } from './note/use-transcript.ts'
import { NoteDetails } from './note-details.tsx'
import { usePlayer } from './player/player.ts'
import { PlayerBar } from './player/player-bar.tsx'
import { TranscriptBody } from './text/transcript-body.tsx'
import { Title } from './title.tsx'

export default function TranscriptScreen() {
  const { id = '' } = useParams()
  const { state } = useLocation()
  const transcript = useTranscript(id)
  const isMissing = transcript.error instanceof ApiError && transcript.error.status === 404
  return (
    <div className="page max-w-4xl py-8 max-sm:pb-44 sm:py-12">
      <TextLink to={`/transcription-history${Object(state).list ?? ''}`} className="-my-2 inline-block py-2">
        All transcriptions
      </TextLink>
      {isMissing ? <Missing /> : <LoadError of={[transcript]} fallback="Failed to load the transcript" />}
      {transcript.isPending && <Skeletons className="mt-4 gap-4" heights={['h-10 w-2/3', 'h-28', 'h-64']} />}
      {transcript.data && !isMissing && (
        <Note key={id} document={transcript.data} onStale={() => void transcript.refetch()} />
      )}
    </div>
  )
}

function Missing() {
  return (
    <>
      <PageTitle title="This transcript doesn’t exist" className="mt-4" />
      <p className="mt-3 text-lg text-soft">It may have been deleted, or it belongs to another account.</p>
    </>
  )
}

interface NoteProps {
  document: TranscriptionDocument
  /** Fetches the note again: the address of its audio has expired. */
  onStale(): void
}

function Note({ document, onStale }: NoteProps) {
  const { title, audioUrl, durationSeconds, levels, createdAt, source, audioLength } = document
  const { language, engine, confidenceScore } = document
  // There is nothing to play before it is measured, or when it has no sound.
  const player = usePlayer(durationSeconds ? audioUrl : null, durationSeconds ?? 0)
  const corrections = useCorrections(document.id)
  const [address, setAddress] = useSearchParams()
  const search = address.get('search')?.slice(0, 200) ?? ''
  return (
    <article className="mt-4">
      <Title title={title} search={search} onChange={corrections.retitle} />
      <Facts
        look="line"
        className="mt-3"
        facts={[
          ['Received', moment(createdAt)],
          ['Source', sourceLabel(source)],
          ['Length', audioLength],
          ['Language', language !== 'auto' && languageLabel(language)],
          ['Recognised by', engine && engineLabel(engine)],
          ['Confidence', percent(confidenceScore)],
        ]}
      />
      <Toolbar document={document} />
      {player && <PlayerBar player={player} levels={levels} onStale={onStale} />}
      {search && <FoundHere search={search} onClear={() => setAddress({}, { replace: true })} />}
      <TranscriptBody document={document} player={player} corrections={corrections} search={search} />
      <NoteDetails {...document} search={search} />
    </article>
  )
}

/** Returns one line per passage, as on the page. */
const withTimes = (segments: Segment[]) =>
  segments.map(({ from, text }) => `${clock(from)} ${text}`).join('\n')

function Toolbar({ document }: { document: TranscriptionDocument }) {
  const navigate = useNavigate()
  const { id, status, text, segments, language, edited, audioAvailable } = document
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2">
      {status === 'completed' && <ExportMenu document={document} />}
      {status === 'completed' && text && <CopyButton text={text} label="Copy text" />}
      {status === 'completed' && segments.length > 1 && (
        <CopyButton text={withTimes(segments)} label="Copy with times" />
      )}
      {status !== 'processing' && audioAvailable && (
        <Again id={id} language={language} edited={edited} variant="secondary" />
      )}
      <DeleteNote id={id} onGone={() => navigate('/transcription-history', { replace: true })} />
    </div>
  )
}
