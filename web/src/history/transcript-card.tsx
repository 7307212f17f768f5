import type { Transcription } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import { Link, useLocation } from 'react-router-dom'
import { Failure } from '../transcript/note/failure.tsx'
import { Marked, Searched, useFound } from '../transcript/note/searched.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { figure, fileSize, moment } from '../ui/figures.ts'
import { Spinner } from '../ui/spinner.tsx'
import { CardActions } from './card-actions.tsx'
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
  return (
    <article aria-labelledby={`${id}-name`} className="contents">
      <Card>
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 sm:flex-nowrap">
          <div className="min-w-0">
            <h2 id={`${id}-name`} className="wrap-anywhere font-sans font-semibold text-lg tracking-normal">
              <Link
                to={{
                  pathname: `/transcriptions/${id}`,
                  search: search && `?${new URLSearchParams({ search })}`,
                }}
                state={{ list }}
                className="hover:underline"
              >
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
          <Facts {...transcription} />
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
function Facts(transcription: Transcription) {
  const { status, audioLength, language, wordCount, confidenceScore, fileSize: bytes } = transcription
  const completed = status === 'completed'
  const facts = [
    ['Length', audioLength],
    ['Language', language !== 'auto' && languageLabel(language)],
    ['Words', completed && figure(wordCount)],
    ['Confidence', completed && confidenceScore !== null && `${Math.round(confidenceScore * 100)}%`],
    ['Size', fileSize(bytes)],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]))
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-soft">{name}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
