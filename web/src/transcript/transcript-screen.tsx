import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'react-router-dom'
import { ApiError } from '../api/errors.ts'
import { Facts } from '../ui/facts.tsx'
import { shortMoment } from '../ui/figures.ts'
import { LoadError } from '../ui/load-error.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { useCorrections } from './correct/use-corrections.ts'
import { Dock } from './dock/dock.tsx'
import { useTranscript } from './note/use-transcript.ts'
import { NoteDetails } from './note-details.tsx'
import { useFollowing, WayBack } from './player/following.tsx'
import { usePlayer } from './player/player.ts'
import { TranscriptBody } from './text/transcript-body.tsx'
import { useView } from './text/use-view.ts'
import { Title } from './title.tsx'

export default function TranscriptScreen() {
  const { id = '' } = useParams()
  const { state } = useLocation()
  const transcript = useTranscript(id)
  const isMissing = transcript.error instanceof ApiError && transcript.error.status === 404
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
  const { id, title, audioUrl, durationSeconds, createdAt, audioLength, language } = document
  // There is nothing to play before it is measured, or when it has no sound.
  const player = usePlayer(durationSeconds ? audioUrl : null, durationSeconds ?? 0)
  const following = useFollowing(player)
  const corrections = useCorrections(id)
  const [address, setAddress] = useSearchParams()
  const search = address.get('search')?.slice(0, 200) ?? ''
  const view = useView(search)
  const [isRenaming, setRenaming] = useState(false)
  return (
    <article className="sm:mt-4">
      <Title
        title={title}
        search={search}
        editing={isRenaming}
        onEnd={() => setRenaming(false)}
        onChange={corrections.retitle}
      />
      <Facts
        look="small"
        className="mt-1"
        facts={[
          ['Received', shortMoment(createdAt)],
          ['Length', audioLength],
          ['Language', language !== 'auto' && languageLabel(language)],
        ]}
      />
      <Dock
        {...{ document, player, onStale, following, corrections, view }}
        onRename={() => setRenaming(true)}
        search={search}
        onSearch={next => setAddress(next ? { search: next } : {}, { replace: true })}
      />
      <TranscriptBody {...{ document, player, following, corrections, search, view }} />
      <WayBack {...following} />
      <NoteDetails {...document} search={search} />
    </article>
  )
}
