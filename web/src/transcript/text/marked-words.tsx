import type { Segment } from '@voxscribe/contracts/http'
import { type CSSProperties, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/action/button.tsx'
import { useListener } from '../../ui/action/use-listener.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import type { OpenNote } from '../use-open-note.ts'

/** Pixels: the bubble's size with room for a second line, its gap to the words, and its gap to the window's edges. */
const [WIDTH, HEIGHT, GAP, EDGE] = [264, 48, 8, 8]
/** Pixels at the window's top and bottom where the header or a phone's player may cover the text. */
const [TOP, BOTTOM] = [72, 150]

interface Words {
  text: string
  /** Indexes of their first and last passages. */
  passages: [number, number]
  place: CSSProperties
}

/** Returns the words of the text that the person has selected; null if there are none. */
function wordsMarked(region: HTMLElement | null, segments: Segment[]): Words | null {
  const selection = window.getSelection()
  const text = selection?.toString().trim()
  if (!selection?.rangeCount || !text || !region) return null
  const range = selection.getRangeAt(0)
  const inside = [...region.querySelectorAll<HTMLElement>('[data-passage]')].filter(each =>
    range.intersectsNode(each),
  )
  const indexOf = (each?: HTMLElement) => segments.findIndex(({ id }) => id === each?.dataset.passage)
  const passages: Words['passages'] = [indexOf(inside[0]), indexOf(inside.at(-1))]
  return Math.min(...passages) < 0 ? null : { text, passages, place: placeBeside(range) }
}

/** Places the bubble above the selection, else below it; always inside the window. */
function placeBeside(range: Range): CSSProperties {
  // Browsers that don't render lack this function.
  const { left, top, bottom, width } = range.getBoundingClientRect?.() ?? new DOMRect()
  const middle = left + width / 2 - WIDTH / 2
  const isAbove = top - GAP - HEIGHT >= TOP
  const below = Math.min(bottom + GAP, window.innerHeight - BOTTOM)
  return {
    width: WIDTH,
    left: Math.max(EDGE, Math.min(middle, window.innerWidth - WIDTH - EDGE)),
    top: isAbove ? top - GAP - HEIGHT : below,
  }
}

/** The actions on selected words, shown beside them while they are selected. */
export function MarkedWords({
  document: { segments, sample },
  region,
  player,
  show,
  isCorrecting,
}: OpenNote) {
  const [words, setWords] = useState<Words | null>(null)
  const look = () => setWords(isCorrecting ? null : wordsMarked(region.current, segments))
  useListener(document, ['selectionchange'], look)
  useListener(window, ['scroll', 'resize'], look, words !== null)
  if (!words) return null
  const { text, passages, place } = words
  return (
    <div
      role="toolbar"
      aria-label={i18n.t('Marked words')}
      style={place}
      // A press would clear the selection before the click counts.
      onPointerDown={event => event.preventDefault()}
      onMouseDown={event => event.preventDefault()}
      className="print:hidden fixed z-30 flex flex-wrap items-center justify-center rounded-card border border-line bg-surface p-1 shadow-sheet"
    >
      <CopyButton key={text} text={text} label={i18n.t('Copy')} variant="quiet" />
      {!sample && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            window.getSelection()?.removeAllRanges()
            show({ quoting: passages })
          }}
        >
          {i18n.t('Quote')}
        </Button>
      )}
      {player && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => player.playFrom(segments[passages[0]]?.from ?? 0)}
        >
          {i18n.t('Play')}
        </Button>
      )}
    </div>
  )
}
