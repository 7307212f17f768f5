import type { Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import { memo, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { clock, spokenTime } from '../../ui/figures.ts'
import { CorrectedText } from '../correct/corrected-text.tsx'
import type { Correction } from '../correct/corrections.ts'
import type { Following } from '../player/following.tsx'
import { type Player, usePlayerState } from '../player/player.ts'
import { PlainText, SpokenText } from './spoken-text.tsx'

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
  const spoken = usePlayerState(player, ({ currentTime }) => spokenAt(segments, currentTime), -1)
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
    <ol className="space-y-1" lang={languageTag(document.language)}>
      {segments.map((segment, index) => (
        <Line
          key={segment.id}
          segment={segment}
          player={player}
          spoken={index === spoken}
          follows={follows && index === spoken}
          search={search}
          correcting={correcting}
          onPlay={playFrom}
          onCorrect={onCorrect}
        />
      ))}
    </ol>
  )
}

const languageTag = (language: string) => (/^[a-z]{2,3}$/.test(language) ? language : undefined)

/** Returns the index of the last segment that has started; -1 before playback. */
const spokenAt = (segments: Segment[], time: number): number =>
  time > 0 ? segments.findLastIndex(segment => segment.from <= time + 0.05) : -1

interface LineProps extends Pick<SegmentsProps, 'player' | 'search' | 'correcting' | 'onCorrect'> {
  segment: Segment
  spoken: boolean
  /** The page scrolls to it. */
  follows: boolean
  onPlay(from: number): void
}

/** Memoised: a long note has thousands of lines. */
const Line = memo(function Line({ segment, player, spoken, follows, correcting, ...rest }: LineProps) {
  const { search, onPlay, onCorrect } = rest
  const line = useRef<HTMLLIElement>(null)
  const isNear = useHasComeNear(line)
  useEffect(() => {
    // Not while the person is typing in it.
    if (!follows || document.activeElement?.matches('input, textarea')) return
    line.current?.scrollIntoView?.({ block: 'center', behavior: 'smooth' })
  }, [follows])
  return (
    <li
      ref={line}
      aria-current={spoken || undefined}
      className={classes(
        // The browser skips the layout of passages out of sight.
        '[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]',
        'grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-control border-l-3 px-2 py-1.5',
        spoken ? 'border-accent bg-wash' : 'border-transparent',
      )}
    >
      <button
        type="button"
        disabled={!player}
        onClick={() => onPlay(segment.from)}
        className="min-h-9 self-start rounded-control px-1.5 text-accent text-sm tabular-nums disabled:text-soft"
      >
        <span aria-hidden="true">{clock(segment.from)}</span>
        <span className="sr-only">Play from {spokenTime(segment.from)}</span>
      </button>
      {isNear && correcting && <CorrectedText segment={segment} onCorrect={onCorrect} />}
      {isNear && !correcting && (
        <SpokenText segment={segment} player={player} onPlay={onPlay} spoken={spoken} search={search} />
      )}
      {!isNear && <PlainText segment={segment} search={search} />}
    </li>
  )
})

/** Passages further from the window than this stay plain text. */
const MARGIN = '1500px 0px'

const waiting = new WeakMap<Element, () => void>()
const observer =
  typeof IntersectionObserver === 'undefined'
    ? null
    : new IntersectionObserver(
        entries => {
          for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.()
        },
        { rootMargin: MARGIN },
      )

/** Whether an element has ever been near the window; always true in a browser without IntersectionObserver. */
function useHasComeNear(place: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(!observer)
  useEffect(() => {
    const element = place.current
    if (isNear || !observer || !element) return
    waiting.set(element, () => setNear(true))
    observer.observe(element)
    return () => observer.unobserve(element)
  }, [isNear, place])
  return isNear
}
