import type { Segment } from '@voxscribe/contracts/http'
import { spokenBy } from '@voxscribe/contracts/paragraphs'
import { beginningOf } from '@voxscribe/contracts/text'
import { clock, speakerNames } from '@voxscribe/contracts/wording'
import { useMemo } from 'react'
import { i18n } from '../../language/i18n.ts'
import { clockTime } from '../../language/times.ts'
import { saveExport } from '../../note/exports.tsx'
import { Button } from '../../ui/action/button.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import type { OpenNote } from '../use-open-note.ts'

const optionOf = (segment: Segment, index: number) => (
  <option key={segment.id} value={index}>
    {`${clockTime(segment.from)} ${beginningOf(segment.text, 40)}`}
  </option>
)

/** Downloads or copies the passages from one line to another. */
export function QuoteRow({ document, region, hasText, isCorrecting, quoting, show }: OpenNote) {
  const { id, segments, speakers, audioUrl, durationSeconds, title } = document
  const isOpen = quoting !== null
  // Memoized, as a long note has thousands of lines.
  const lines = useMemo(() => (isOpen ? segments.map(optionOf) : []), [isOpen, segments])
  if (!quoting || !hasText || isCorrecting) return null
  const [from, to] = quoting
  const quoted = segments.slice(from, to + 1)
  const [first] = quoted
  if (!first) return null
  const nameOf = speakerNames(i18n, speakers)
  const text = quoted.map(line => `${clock(line.from)} ${spokenBy(nameOf(line.speaker), line.text.trim())}`)
  const end = Math.min(Math.max(...quoted.map(line => line.to)), durationSeconds ?? 0)
  const line = (name: string, value: number, choose: (index: number) => void, isFirst = false) => (
    <select
      aria-label={name}
      // biome-ignore lint/a11y/noAutofocus: its button was pressed
      autoFocus={isFirst}
      // The direction follows the note's words, not the page.
      dir="auto"
      value={value}
      onChange={event => choose(Number(event.target.value))}
      className="min-h-press w-24 rounded-control border border-edge bg-surface px-2 pointer-coarse:text-base text-sm tabular-nums max-sm:min-w-0 max-sm:flex-1"
    >
      {lines}
    </select>
  )
  return (
    <fieldset
      aria-label={i18n.t('Quoted passage')}
      // Hangs below the dock if that is above the text, over its first lines, so that nothing moves.
      className="flex flex-wrap items-center gap-1.5 py-1.5 sm:absolute sm:end-0 sm:top-full sm:mt-1 sm:gap-2 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:px-3 sm:shadow-sheet"
    >
      {line(i18n.t('From line'), from, index => show({ quoting: [index, Math.max(index, to)] }), true)}
      <span aria-hidden="true">–</span>
      {line(i18n.t('To line'), to, index => show({ quoting: [Math.min(from, index), index] }))}
      {/* On a phone the buttons have their own line, below the lines that they act on. */}
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
          show({ quoting: null })
          region.current?.focus({ preventScroll: true })
        }}
      >
        {i18n.t('Done')}
      </Button>
    </fieldset>
  )
}
