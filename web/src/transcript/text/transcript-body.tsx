import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Banner } from '../../ui/banner.tsx'
import { classes } from '../../ui/classes.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { SaveState } from '../correct/save-state.tsx'
import type { Corrections } from '../correct/use-corrections.ts'
import { Failure } from '../note/failure.tsx'
import { useFollowing, WayBack } from '../player/following.tsx'
import type { Player } from '../player/player.ts'
import { Segments } from './segments.tsx'
import { type Mode, TextActions } from './text-actions.tsx'
import { hasUnsureWords } from './words.ts'

/** With less confidence the whole text is doubtful. */
const LOW_CONFIDENCE = 0.5

interface TranscriptBodyProps {
  document: TranscriptionDocument
  player: Player | null
  corrections: Corrections
  /** Words to mark. */
  search: string
}

/** The text or, while there is none, the reason and what to do about it. */
export function TranscriptBody(props: TranscriptBodyProps) {
  const { document, corrections } = props
  if (document.status === 'completed' && (document.text || document.segments.length))
    return <Text {...props} />
  return (
    <>
      <div className="mt-2 min-h-6">
        <SaveState saving={corrections.saving} onRetry={corrections.retry} />
      </div>
      <Missing {...document} />
    </>
  )
}

function Missing(document: TranscriptionDocument) {
  const { status, notice } = document
  if (status === 'failed')
    return (
      <Banner>
        <Failure {...document} />
      </Banner>
    )
  return (
    <Banner tone="info">
      {status === 'processing' ? (
        <>
          <Spinner /> {notice ?? 'This note is being transcribed. The text will appear here automatically.'}
        </>
      ) : (
        <>
          {notice ?? 'No speech found'}. It didn’t use any minutes. If someone does speak in it, transcribe it
          again in their language.
        </>
      )}
    </Banner>
  )
}

function Text({ document, player, corrections, search }: TranscriptBodyProps) {
  const [mode, setMode] = useState<Mode>('reading')
  const isCorrecting = mode === 'correcting'
  const { original, segments, notice, noticeCodes, sameAs } = document
  const shown = mode === 'original' && original ? original.segments : corrections.corrected(segments)
  const following = useFollowing(player)
  return (
    <section aria-label="Transcript" className={classes('mt-4', isCorrecting && 'max-sm:pb-20')}>
      {notice && noticeCodes.join() !== 'doubtful' && (
        <p className="mb-3 text-soft">
          {notice}
          {sameAs && noticeCodes.includes('same_as') && (
            <>
              {'. '}
              <Link to={`/transcriptions/${sameAs}`} className="link">
                Open that note
              </Link>
            </>
          )}
        </p>
      )}
      <Doubts document={document} />
      <TextActions
        corrections={corrections}
        following={following}
        hasPlayer={player !== null}
        hasOriginal={original !== null}
        mode={mode}
        onMode={setMode}
      />
      <Segments
        document={document}
        segments={shown}
        player={player}
        following={following}
        search={search}
        correcting={isCorrecting}
        onCorrect={corrections.correct}
      />
      <WayBack {...following} />
    </section>
  )
}

/** Explains the underlining once, and warns when the whole text is doubtful. */
function Doubts({ document }: { document: TranscriptionDocument }) {
  const { confidenceScore, segments, timesExact } = document
  return (
    <>
      {confidenceScore !== null && confidenceScore < LOW_CONFIDENCE && (
        <Banner tone="warning" className="mb-3">
          Much of this text may be wrong: the recording was hard to understand. Listen along before you rely
          on it.
        </Banner>
      )}
      {hasUnsureWords(segments) && (
        <p className="text-soft text-sm">
          <span className="underline decoration-2 decoration-warn decoration-wavy underline-offset-4">
            Underlined
          </span>{' '}
          words may be wrong. Click one to hear it.
        </p>
      )}
      {!timesExact && <p className="text-soft text-sm">The times are estimates.</p>}
    </>
  )
}
