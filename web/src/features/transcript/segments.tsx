import type { Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import { Fragment, memo, type ReactNode, useEffect, useRef } from 'react'
import { classes } from '../../ui/classes.ts'
import { clock, spokenTime } from './clock.ts'
import type { Correction } from './corrections.ts'
import { type Player, usePlayerState } from './player.ts'

/** Below this an engine is unsure of a word. */
const UNSURE_BELOW = 0.5

interface SegmentsProps {
  document: TranscriptionDocument
  /** Other segments than the document's: the original. */
  segments: Segment[]
  player: Player | null
  correcting: boolean
  onCorrect(correction: Correction): void
}

export function Segments({ document, segments, player, correcting, onCorrect }: SegmentsProps) {
  const spoken = usePlayerState(player, ({ time }) => spokenAt(segments, time()), -1)
  return (
    <ol className="grid gap-1" lang={languageTag(document.language)}>
      {segments.map((segment, index) => (
        <Line key={segment.id} segment={segment} player={player} spoken={index === spoken}>
          {correcting ? (
            <CorrectedText segment={segment} onCorrect={onCorrect} />
          ) : (
            <SpokenText segment={segment} player={player} spoken={index === spoken} />
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
  player: Player | null
  spoken: boolean
}

function Line({ segment, player, spoken, children }: LineProps & { children: ReactNode }) {
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Not while someone reads elsewhere with the audio paused, nor under the fingers of who types.
    if (!spoken || !player?.playing() || line.current?.contains(document.activeElement)) return
    line.current?.scrollIntoView?.({ block: 'center', behavior: 'smooth' })
  }, [spoken, player])
  return (
    <li
      ref={line}
      aria-current={spoken || undefined}
      className={classes(
        'grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-control border-l-3 px-2 py-1',
        spoken ? 'border-accent bg-wash' : 'border-transparent',
      )}
    >
      <button
        type="button"
        disabled={!player}
        onClick={() => player?.playFrom(segment.from)}
        className="min-h-9 self-start rounded-control px-1.5 text-accent text-sm tabular-nums disabled:text-soft"
      >
        <span aria-hidden="true">{clock(segment.from)}</span>
        <span className="sr-only">Play from {spokenTime(segment.from)}</span>
      </button>
      {children}
    </li>
  )
}

/** Words can be clicked to hear them; those that the engine is unsure of are underlined. */
const SpokenText = memo(function SpokenText({ segment, player, spoken }: LineProps) {
  const { words, text } = segment
  return (
    <p dir="auto" className="max-w-prose whitespace-pre-wrap py-1 text-lg leading-relaxed">
      {words?.length ? (
        <Words segment={segment} player={player} spoken={spoken} />
      ) : (
        // biome-ignore lint/a11y: the button with the time does the same
        <span onClick={() => player?.playFrom(segment.from)}>{text}</span>
      )}
    </p>
  )
})

function Words({ segment, player, spoken }: LineProps) {
  const { words = [] } = segment
  const current = usePlayerState(spoken ? player : null, ({ time }) => wordAt(words, time()), -1)
  return words.map((word, index) => (
    <Fragment key={`${word.from} ${word.to} ${word.text}`}>
      {index > 0 && ' '}
      {/* biome-ignore lint/a11y: for pointers only; the button with the time serves keyboards */}
      <span
        onClick={() => player?.playFrom(word.from)}
        className={classes(
          player && 'cursor-pointer hover:bg-wash',
          index === current && 'rounded-sm bg-mark',
          isUnsure(word) && 'underline decoration-2 decoration-warn decoration-wavy underline-offset-4',
        )}
      >
        {word.text.trim()}
      </span>
    </Fragment>
  ))
}

const wordAt = (words: { from: number }[], time: number) => words.findLastIndex(word => word.from <= time)
const isUnsure = ({ confidence }: { confidence: number | null }) =>
  confidence !== null && confidence < UNSURE_BELOW

export const hasUnsureWords = (segments: Segment[]): boolean =>
  segments.some(({ words = [] }) => words.some(isUnsure))

interface CorrectedTextProps {
  segment: Segment
  onCorrect(correction: Correction): void
}

/** Enter saves and goes on to the next; leaving the field saves, too; Escape brings the text of before back. */
function CorrectedText({ segment, onCorrect }: CorrectedTextProps) {
  const { id, text, from } = segment
  const save = (field: HTMLTextAreaElement) => {
    const after = field.value.trim()
    if (after !== text) onCorrect({ id, before: text, after })
  }
  return (
    <textarea
      // A text that changed elsewhere (undone, another tab) takes the place of this one.
      key={text}
      dir="auto"
      rows={1}
      defaultValue={text}
      aria-label={`Text at ${spokenTime(from)}`}
      onBlur={event => save(event.currentTarget)}
      onKeyDown={event => {
        const field = event.currentTarget
        if (event.key === 'Escape') field.value = text
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
        event.preventDefault()
        const fields = [...document.querySelectorAll<HTMLTextAreaElement>('[data-segment]')]
        const next = fields[fields.indexOf(field) + 1]
        if (next) next.focus()
        else field.blur()
      }}
      data-segment
      className="field-sizing-content w-full resize-none rounded-control border border-edge/50 bg-surface px-2 py-1 text-lg leading-relaxed"
    />
  )
}
