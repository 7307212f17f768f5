import type { Transcription } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import { Link, useLocation } from 'react-router-dom'
import { Again } from '../transcript/note/again.tsx'
import { DeleteNote } from '../transcript/note/delete-note.tsx'
import { Failure } from '../transcript/note/failure.tsx'
import { Marked, Searched, useFound } from '../transcript/note/searched.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Facts } from '../ui/facts.tsx'
import { figure, fileSize, moment, percent } from '../ui/figures.ts'
import { Spinner } from '../ui/spinner.tsx'
import { TranscriptText } from './transcript-text.tsx'

const STATES: Record<Transcription['status'], [label: string, tone: Tone]> = {
  completed: ['Completed', 'good'],
  processing: ['Processing', 'accent'],
  failed: ['Failed', 'bad'],
}

interface TranscriptCardProps {
  transcription: Transcription
  search: string
  /** After it was deleted. */
  onGone(): void
}

export function TranscriptCard({ transcription, search, onGone }: TranscriptCardProps) {
  const { id, title, fileName, createdAt, status, text, language, notice } = transcription
  const [label, tone] = STATES[status]
  const list = useLocation().search
  const words = search && `?${new URLSearchParams({ search })}`
  return (
    <article aria-labelledby={`${id}-name`} className="contents">
      <Card>
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 sm:flex-nowrap">
          <div className="min-w-0">
            <h2 id={`${id}-name`} className="wrap-anywhere font-sans font-semibold text-lg tracking-normal">
              <Link to={`/transcriptions/${id}${words}`} state={{ list }} className="hover:underline">
                <Searched text={title} search={search} />
              </Link>
            </h2>
            {fileName !== title && search && <FoundFileName fileName={fileName} search={search} />}
            <time dateTime={createdAt} className="text-soft text-sm">
              {moment(createdAt)}
            </time>
          </div>
          <Badge tone={tone}>
            {status === 'processing' && <Spinner />}
            {label}
          </Badge>
        </div>
        {status === 'completed' && text && <TranscriptText text={text} language={language} search={search} />}
        {status === 'processing' && !notice && (
          <p className="mt-4 text-soft">The text will appear here automatically.</p>
        )}
        {notice && <p className="mt-4 text-soft">{notice}</p>}
        {status === 'failed' && (
          <p className="mt-4 rounded-control bg-bad-wash px-4 py-3 font-medium text-bad">
            <Failure {...transcription} />
          </p>
        )}
        <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t pt-3">
          <Facts look="line" facts={factsOf(transcription)} />
          <CardActions transcription={transcription} onGone={onGone} />
        </div>
      </Card>
    </article>
  )
}

/** Under a custom title, the file's name is shown only when the search has matched it. */
function FoundFileName({ fileName, search }: { fileName: string; search: string }) {
  const found = useFound(fileName, search)
  if (!found.length) return null
  return (
    <p className="wrap-anywhere text-soft text-sm">
      <Marked text={fileName} found={found} />
    </p>
  )
}

/** Word count and confidence belong to completed ones only. */
function factsOf(transcription: Transcription): [string, string | false | null][] {
  const { status, audioLength, language, wordCount, confidenceScore, fileSize: bytes } = transcription
  const completed = status === 'completed'
  return [
    ['Length', audioLength],
    ['Language', language !== 'auto' && languageLabel(language)],
    ['Words', completed && figure(wordCount)],
    ['Confidence', completed && percent(confidenceScore)],
    ['Size', fileSize(bytes)],
  ]
}

function CardActions({ transcription, onGone }: Omit<TranscriptCardProps, 'search'>) {
  const { id, status, text, title, language, audioAvailable } = transcription
  return (
    <div className="-mx-3 flex flex-wrap gap-1 sm:ml-auto sm:justify-end">
      {status === 'completed' && text && <CopyButton text={text} label="Copy text" variant="quiet" />}
      {status !== 'processing' && audioAvailable && <Again id={id} language={language} />}
      <DeleteNote id={id} name={title} processing={status === 'processing'} onGone={onGone} />
    </div>
  )
}
