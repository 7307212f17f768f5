import type { Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { classes } from '../../ui/classes.ts'
import { clock, spokenTime } from './clock.ts'
import { CorrectedText } from './corrected-text.tsx'
import type { Correction } from './corrections.ts'
import type { Following } from './following.ts'
import { type Player, usePlayerState } from './player.ts'
import { SpokenText } from './spoken-text.tsx'

interface SegmentsProps {
  document: TranscriptionDocument
  /** Other segments than the document's: the original. */
  segments: Segment[]
  player: Player | null
  following: Following
  /** Words to mark. */
  search: string
  correcting: boolean
  onCorrect(correction: Correction): void
}

export function Segments({ document, segments, player, following, search, ...correction }: SegmentsProps) {
  const spoken = usePlayerState(player, ({ time }) => spokenAt(segments, time()), -1)
  const { correcting, onCorrect } = correction
  const { follows, comeBack } = following
  const playFrom = useCallback(
    (from: number) => {
      comeBack()
      player?.playFrom(from)
    },
    [player, comeBack],
  )
  return (
    <ol className="grid gap-1" lang={languageTag(document.language)}>
      {segments.map((segment, index) => (
        <Line
          key={segment.id}
          segment={segment}
          spoken={index === spoken}
          follows={follows}
          onPlay={player && playFrom}
        >
          {correcting ? (
            <CorrectedText segment={segment} onCorrect={onCorrect} />
          ) : (
            <SpokenText
              segment={segment}
              player={player}
              onPlay={playFrom}
              spoken={index === spoken}
              search={search}
            />
          )}
        </Line>
      ))}
    </ol>
  )
}

const languageTag = (language: string) => (/^[a-z]{2,3}$/.test(language) ? language : undefined)

/** The last one that has begun; none before anything was played. */
const spokenAt = (segments: Segment[], time: number): number =>
  time > 0 ? segments.findLastIndex(segment => segment.from <= time + 0.05) : -1

interface LineProps {
  segment: Segment
  spoken: boolean
  /** The page scrolls to what is spoken. */
  follows: boolean
  onPlay: ((from: number) => void) | null
  children: ReactNode
}

function Line({ segment, spoken, follows, onPlay, children }: LineProps) {
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Not under the fingers of who types.
    if (!spoken || !follows || document.activeElement?.matches('input, textarea')) return
    line.current?.scrollIntoView?.({ block: 'center', behavior: 'smooth' })
  }, [spoken, follows])
  return (
    <li
      ref={line}
      aria-current={spoken || undefined}
      className={classes(
        // What is out of sight is not laid out.
        '[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]',
        'grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-control border-l-3 px-2 py-1.5',
        spoken ? 'border-accent bg-wash' : 'border-transparent',
      )}
    >
      <button
        type="button"
        disabled={!onPlay}
        onClick={() => onPlay?.(segment.from)}
        className="min-h-9 self-start rounded-control px-1.5 text-accent text-sm tabular-nums disabled:text-soft"
      >
        <span aria-hidden="true">{clock(segment.from)}</span>
        <span className="sr-only">Play from {spokenTime(segment.from)}</span>
      </button>
      {children}
    </li>
  )
}
