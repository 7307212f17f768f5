import type { Segment } from '@voxscribe/contracts/http'
import { spokenBy } from '@voxscribe/contracts/paragraphs'
import { beginningOf } from '@voxscribe/contracts/text'
import { clock, speakerNames } from '@voxscribe/contracts/wording'
import { useMemo, useState } from 'react'
import { clockTime } from '../../language/clock-time.ts'
import { i18n } from '../../language/i18n.ts'
import { saveExport } from '../../note/exports.tsx'
import { Button } from '../../ui/action/button.tsx'
import { useListener } from '../../ui/action/use-listener.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import type { OpenNote } from '../use-open-note.ts'

/** Returns the first and last of the passages in a selection, as indexes; undefined when it has none. */
function selectedIn(region: HTMLElement | null, segments: Segment[]): [number, number] | undefined {
  const selection = window.getSelection()
  if (!selection?.rangeCount || selection.isCollapsed || !region) return undefined
  const range = selection.getRangeAt(0)
  if (!range.intersectsNode(region)) return undefined
  const inside = [...region.querySelectorAll<HTMLElement>('[data-passage]')].filter(each =>
    range.intersectsNode(each),
  )
  const [from, to] = [inside[0], inside.at(-1)].map(each =>
    segments.findIndex(({ id }) => id === each?.dataset.passage),
  )
  return from === undefined || to === undefined || from < 0 || to < 0 ? undefined : [from, to]
}

const optionOf = (segment: Segment, index: number) => (
  <option key={segment.id} value={index}>
    {`${clockTime(segment.from)} ${beginningOf(segment.text, 40)}`}
  </option>
)

/** Downloads or copies the passage that is selected in the text, or chosen here. Unused, it goes with the selection. */
export function QuoteRow({ document, region, hasText, isCorrecting, isQuoting, setQuoting }: OpenNote) {
  const { id, segments, speakers, audioUrl, durationSeconds, title } = document
  const [[from, to], setChosen] = useState([0, 0])
  const isOff = !hasText || isCorrecting
  const [isPassing, setPassing] = useState(false)
  const onSelection = () => {
    const chosen = selectedIn(region.current, segments)
    if (chosen) {
      if (!isQuoting) setPassing(true)
      setChosen(chosen)
      setQuoting(true)
    } else if (isPassing) {
      setPassing(false)
      setQuoting(false)
    }
  }
  useListener(window.document, ['selectionchange'], onSelection, !isOff)
  // A long note has thousands: they are there once the row is used, the same ones each time.
  const lines = useMemo(
    () => isQuoting && !isPassing && segments.map(optionOf),
    [isQuoting, isPassing, segments],
  )
  const quoted = segments.slice(from, to + 1)
  const use = () => setPassing(false)
  const [first] = quoted
  if (isOff || !isQuoting || !first) return null
  const nameOf = speakerNames(i18n, speakers)
  const text = quoted.map(line => `${clock(line.from)} ${spokenBy(nameOf(line.speaker), line.text.trim())}`)
  const end = Math.min(Math.max(...quoted.map(line => line.to)), durationSeconds ?? 0)
  const line = (name: string, value: number, choose: (index: number) => void, isFirst = false) => (
    <select
      aria-label={name}
      // biome-ignore lint/a11y/noAutofocus: its menu entry was pressed, unless it came with a selection
      autoFocus={isFirst && !isPassing}
      // By the words of the note, whichever way the page runs.
      dir="auto"
      value={value}
      onChange={event => choose(Number(event.target.value))}
      className="min-h-press w-24 rounded-control border border-edge bg-surface px-2 text-sm tabular-nums max-sm:min-w-0 max-sm:flex-1"
    >
      {lines || segments.slice(value, value + 1).map(segment => optionOf(segment, value))}
    </select>
  )
  return (
    <fieldset
      aria-label={i18n.t('Quoted passage')}
      onPointerDown={use}
      onFocus={use}
      // Hangs below the dock where that is above the text, beside its first lines: nothing moves while one selects.
      className="flex flex-wrap items-center gap-1.5 py-1.5 sm:absolute sm:end-0 sm:top-full sm:mt-1 sm:gap-2 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:px-3 sm:shadow-sheet"
    >
      {line(i18n.t('From line'), from, index => setChosen([index, Math.max(index, to)]), true)}
      <span aria-hidden="true">–</span>
      {line(i18n.t('To line'), to, index => setChosen([Math.min(from, index), index]))}
      {/* On a phone in a line of their own, below what they act on. */}
      <div className="flex flex-wrap gap-1.5 max-sm:order-last max-sm:basis-full sm:gap-2">
        {audioUrl && (
          <Button
            size="small"
            onClick={() => {
              const query = { from: first.from, to: end }
              void saveExport('quoteTranscription', { params: { id }, query }, `${title}.zip`)
            }}
          >
            {i18n.t('Quote')}
          </Button>
        )}
        <CopyButton text={text.join('\n')} label={i18n.t('Copy passage')} />
      </div>
      <Button
        size="small"
        variant="quiet"
        onClick={() => {
          setQuoting(false)
          region.current?.focus({ preventScroll: true })
        }}
      >
        {i18n.t('Done')}
      </Button>
    </fieldset>
  )
}
