import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { FollowButton, WayBack } from './follow.tsx'
import { useFollowing } from './following.ts'
import type { Player } from './player.ts'
import { Segments } from './segments.tsx'
import type { Corrections } from './use-corrections.ts'
import { hasUnsureWords } from './words.ts'

/** Below this the whole text is doubtful. */
const LOW_CONFIDENCE = 0.5

interface TranscriptBodyProps {
  document: TranscriptionDocument
  player: Player | null
  corrections: Corrections
  /** Words to mark. */
  search: string
}

/** The text, or what there is to do while there is none. */
export function TranscriptBody(props: TranscriptBodyProps) {
  const { status, notice, error, text, segments } = props.document
  if (status === 'processing') {
    return (
      <Banner tone="info" className="mt-4">
        <Spinner /> {notice ?? 'This note is being transcribed. The text will appear here automatically.'}
      </Banner>
    )
  }
  if (status === 'failed') {
    return (
      <Banner className="mt-4">{error || 'This note couldn’t be transcribed. Please send it again.'}</Banner>
    )
  }
  if (!text && !segments.length) {
    return (
      <Banner tone="info" className="mt-4">
        {notice ?? 'No speech found'}. It didn’t use any minutes. If somebody does speak in it, try again in
        their language.
      </Banner>
    )
  }
  return <Text {...props} />
}

function Text({ document, player, corrections, search }: TranscriptBodyProps) {
  const [correcting, setCorrecting] = useState(false)
  const [showsOriginal, setShowsOriginal] = useState(false)
  const { original, segments, notice, noticeCodes } = document
  const shown = showsOriginal && original ? original.segments : corrections.corrected(segments)
  const following = useFollowing(player)
  return (
    <section aria-label="Transcript" className="mt-2">
      {notice && noticeCodes.join() !== 'doubtful' && <p className="mb-3 text-soft">{notice}</p>}
      <Doubts document={document} />
      <div className="my-3 flex flex-wrap items-center gap-2">
        <Button
          size="small"
          variant="secondary"
          aria-pressed={correcting}
          disabled={showsOriginal}
          onClick={() => setCorrecting(!correcting)}
        >
          {correcting ? 'Done' : 'Correct the text'}
        </Button>
        {corrections.canUndo && (
          <Button size="small" variant="secondary" onClick={corrections.undo}>
            Undo
          </Button>
        )}
        {player && <FollowButton {...following} />}
        {original && (
          <Original
            shown={showsOriginal}
            onShow={setShowsOriginal}
            onRestore={() => {
              setShowsOriginal(false)
              void corrections.restore()
            }}
          />
        )}
      </div>
      <Segments
        document={document}
        segments={shown}
        player={player}
        following={following}
        search={search}
        correcting={correcting && !showsOriginal}
        onCorrect={corrections.correct}
      />
      <WayBack {...following} />
    </section>
  )
}

/** Says once what underlining means, and plainly when the whole text is doubtful. */
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

interface OriginalProps {
  shown: boolean
  onShow(shown: boolean): void
  onRestore(): void
}

function Original({ shown, onShow, onRestore }: OriginalProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="small" variant="secondary" aria-pressed={shown} onClick={() => onShow(!shown)}>
        {shown ? 'Show corrections' : 'Show original'}
      </Button>
      <Button size="small" variant="quiet" onClick={() => setAsking(true)}>
        Restore original
      </Button>
      <Dialog
        open={asking}
        title="Restore the original text?"
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onRestore()
        }}
        confirmLabel="Restore it"
        closeLabel="Keep my corrections"
        danger
      >
        Your corrections will be discarded.
      </Dialog>
    </>
  )
}
