import type { Segment } from '@voxscribe/contracts/http'
import { inParagraphs } from '@voxscribe/contracts/paragraphs'
import type { TextRange } from '@voxscribe/contracts/search-words'
import { joinerAt } from '@voxscribe/contracts/text'
import { memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { clockTime, spokenTime } from '../../language/times.ts'
import { languageTag } from '../../note/note-row.tsx'
import { Marked } from '../../note/searched.tsx'
import { classes, kerning } from '../../ui/classes.ts'
import { goTo } from '../../ui/layout/go-to.ts'
import { CorrectedText } from '../correct/corrected-text.tsx'
import { usePlayerState } from '../player/player.ts'
import { Name, SpeakerName, type Speakers } from '../speakers/speaker-name.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { SpokenText, textOf } from './spoken-text.tsx'

/** The text, one passage per line or in paragraphs. */
export function Segments(note: OpenNote) {
  const { segments, player, found, isCorrecting } = note
  const spoken = usePlayerState(player, ({ currentTime }) => spokenAt(segments, currentTime), -1)
  const spokenId = segments[spoken]?.id
  const { follows, comeBack } = note.following
  const playFrom = useCallback(
    (from: number) => {
      comeBack()
      player?.playFrom(from)
    },
    [player, comeBack],
  )
  const isJoined = !note.isByLine
  const match = note.matches[note.matchAt]
  const lines = useMemo(
    () => (isJoined ? inParagraphs(segments) : segments.map(segment => [segment])),
    [segments, isJoined],
  )
  const { language, speakers = NOBODY, sample } = note.document
  const { translation } = note
  const translated = useMemo(
    () => new Map(translation?.segments.map(({ id, text }) => [id, text])),
    [translation],
  )
  return (
    // A gap, because a passage's own margins would replace the list's.
    <ol className={classes('flex flex-col', isJoined ? 'gap-3' : 'gap-1')} lang={languageTag(language)}>
      {lines.map((line, index) => {
        const isSpoken = line.some(({ id }) => id === spokenId)
        return (
          <Line
            key={line[0]?.id}
            {...{ isJoined, player, found, isCorrecting }}
            isOnly={segments.length === 1}
            isFar={index >= FIRST_LINES}
            segments={line}
            language={language}
            translated={line[0] && translated.get(line[0].id)}
            translatedTo={translation?.language ?? ''}
            spokenId={isSpoken ? spokenId : undefined}
            match={match && line.some(({ id }) => id === match.id) ? match : undefined}
            follows={follows && isSpoken}
            onPlay={playFrom}
            speakers={speakers}
            acts={note.corrections.acts}
            isSample={sample === true}
          />
        )
      })}
    </ol>
  )
}

const NOBODY: Speakers = []
const NONE: TextRange[] = []
/** These fill any window: what follows a shorter text must not move once the browser knows their heights. */
const FIRST_LINES = 30

/** Returns the index of the last segment that has started; -1 before playback. */
const spokenAt = (segments: Segment[], time: number): number =>
  time > 0 ? segments.findLastIndex(segment => segment.from <= time + 0.05) : -1

interface LineProps extends Pick<OpenNote, 'player' | 'found' | 'isCorrecting'> {
  /** One segment, or all segments of a paragraph. */
  segments: Segment[]
  isJoined: boolean
  /** A text of one passage needs no button to play it besides the player. */
  isOnly: boolean
  /** Whether no window shows the line before the person scrolls. */
  isFar: boolean
  /** The line in another language, beside it; only for a line of one segment. */
  translated: string | undefined
  translatedTo: string
  /** The note's language, by which segments are joined with or without spaces. */
  language: string
  spokenId: string | undefined
  /** The current match of the search, if it is in one of the segments. */
  match: OpenNote['matches'][number] | undefined
  follows: boolean
  onPlay(from: number): void
  speakers: Speakers
  acts: OpenNote['corrections']['acts']
  /** Whether speakers can't be renamed. */
  isSample: boolean
}

/** Memoized, because a long note has thousands of lines. Only the line's own matches are compared. */
const Line = memo(
  function Line({
    segments,
    isJoined,
    isOnly,
    isFar,
    language,
    translated,
    translatedTo,
    spokenId,
    match,
    follows,
    ...rest
  }: LineProps) {
    const { player, found, isCorrecting, onPlay, speakers, acts, isSample } = rest
    const line = useRef<HTMLLIElement>(null)
    const isNear = useIsNearView(line)
    useEffect(() => {
      // The page doesn't scroll while the person is typing.
      if (!follows || document.activeElement?.matches('input, textarea')) return
      goTo(line.current)
    }, [follows])
    const [first] = segments
    if (!first) return null
    // The time is in words only near the window, because the browser takes 0.2 ms for each.
    const time = isNear ? spokenTime(first.from) : clockTime(first.from)
    return (
      <li
        ref={line}
        // The direction follows the text: the time is where the text begins.
        dir={isCorrecting ? undefined : 'auto'}
        aria-current={spokenId !== undefined || undefined}
        className={classes(
          // The browser skips the layout of passages out of view.
          isFar && '[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]',
          // It also clips what is below its box, such as the underlines of the last line.
          isJoined && '-mb-1 pb-1',
          // The words align with the column's edge, and the mark is beside it.
          '-ms-2.75 rounded-control border-s-3 px-2',
          !isJoined && 'grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 py-0.5',
          translated !== undefined && 'sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)] sm:gap-x-4',
          'transition-colors',
          spokenId === undefined ? 'border-transparent forced-colors:border-[Canvas]' : 'border-accent',
          spokenId !== undefined && !isJoined && 'bg-wash',
        )}
      >
        {!isOnly && (
          <button
            type="button"
            disabled={!player}
            onClick={() => onPlay(first.from)}
            className={classes(
              // The area that a finger can tap is larger than what is visible. What is copied has only the words.
              '-outline-offset-1 relative select-none rounded-control text-accent text-sm tabular-nums after:absolute after:-inset-x-2 after:-inset-y-1.5 disabled:text-soft',
              isJoined ? 'float-start me-2 -mb-1 min-h-7' : 'min-h-9 self-start px-1',
            )}
          >
            <span aria-hidden="true">{clockTime(first.from)}</span>
            <bdi className="sr-only">{i18n.t('Play from {time}', { time })}</bdi>
          </button>
        )}
        {first.speaker !== undefined && speakers.length > 0 && (
          <span className={classes(isJoined ? 'block' : 'col-start-2')}>
            {isSample ? (
              <Name speaker={first.speaker} speakers={speakers} />
            ) : (
              <SpeakerName
                speaker={first.speaker}
                speakers={speakers}
                onName={acts.name}
                onGive={isJoined ? undefined : speaker => acts.give(first.id, speaker)}
              />
            )}
          </span>
        )}
        {isNear && isCorrecting ? (
          <div className="col-start-2">
            <CorrectedText segment={first} onCorrect={acts.correct} />
          </div>
        ) : (
          <p
            className={classes(
              !isJoined && 'col-start-2',
              kerning(segments.map(textOf).join(' ')),
              'max-w-prose whitespace-pre-wrap text-lg leading-relaxed max-[22.5rem]:text-base max-[22.5rem]:leading-normal',
            )}
          >
            {segments.map((segment, index) => (
              <span key={segment.id} data-passage={segment.id}>
                {index > 0 && joinerAt(segments[index - 1]?.text ?? '', segment.text, language)}
                {isNear ? (
                  <SpokenText
                    {...{ segment, player, onPlay }}
                    found={found.get(segment.id) ?? NONE}
                    spoken={segment.id === spokenId}
                    current={segment.id === match?.id ? match.from : undefined}
                  />
                ) : (
                  // Only passages in view have words that can be clicked: two hours have about 20,000 words.
                  <Marked
                    text={textOf(segment)}
                    found={found.get(segment.id) ?? NONE}
                    current={segment.id === match?.id ? match.from : undefined}
                  />
                )}
              </span>
            ))}
          </p>
        )}
        {translated !== undefined && (
          <p
            dir="auto"
            lang={languageTag(translatedTo)}
            className="max-sm:col-start-2 max-w-prose whitespace-pre-wrap text-lg text-soft leading-relaxed max-[22.5rem]:text-base max-[22.5rem]:leading-normal"
          >
            {translated}
          </p>
        )}
      </li>
    )
  },
  (before, after) =>
    Object.entries(after).every(
      ([name, value]) => name === 'segments' || name === 'found' || before[name as keyof LineProps] === value,
    ) &&
    after.segments.length === before.segments.length &&
    after.segments.every(
      (segment, index) =>
        segment === before.segments[index] && after.found.get(segment.id) === before.found.get(segment.id),
    ),
)

/** Passages farther from the window than this stay plain text. */
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
function useIsNearView(place: RefObject<Element | null>): boolean {
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
