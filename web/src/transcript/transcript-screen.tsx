import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import { useLocation, useParams } from 'react-router-dom'
import { Facts } from '../ui/facts.tsx'
import { shortMoment } from '../ui/figures.ts'
import { LoadError } from '../ui/load-error.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { Dock } from './dock/dock.tsx'
import { useTranscript } from './note/use-transcript.ts'
import { NoteDetails } from './note-details.tsx'
import { WayBack } from './player/following.tsx'
import { TranscriptBody } from './text/transcript-body.tsx'
import { Title } from './title.tsx'
import { useOpenNote } from './use-open-note.ts'

export default function TranscriptScreen() {
  const { id = '' } = useParams()
  const { state } = useLocation()
  const transcript = useTranscript(id)
  const isMissing = Object(transcript.error).status === 404
  return (
    <div className="page max-w-4xl py-2 max-sm:pb-40 sm:py-12">
      <TextLink
        to={`/transcription-history${Object(state).list ?? ''}`}
        className="inline-block py-2 max-sm:py-1 max-sm:text-sm sm:-my-2"
      >
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

const Missing = () => (
  <>
    <PageTitle title="This transcript doesn’t exist" className="mt-4" />
    <p className="mt-3 text-lg text-soft">It may have been deleted, or it belongs to another account.</p>
  </>
)

function Note({ document, onStale }: { document: TranscriptionDocument; onStale(): void }) {
  const { createdAt, audioLength, language } = document
  const note = useOpenNote(document, onStale)
  return (
    <article className="sm:mt-4">
      <Title {...note} />
      <Facts
        look="small"
        className="mt-1"
        facts={[
          ['Received', shortMoment(createdAt)],
          ['Length', audioLength],
          ['Language', language !== 'auto' && languageLabel(language)],
        ]}
      />
      <Dock {...note} />
      <TranscriptBody {...note} />
      <WayBack {...note.following} />
      <NoteDetails {...note} />
    </article>
  )
}
