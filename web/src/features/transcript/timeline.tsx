import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { figure } from '../../ui/figures.ts'

const timeFormat = new Intl.DateTimeFormat('en', { timeStyle: 'medium' })

const STEPS: Record<string, string> = {
  received: 'Received',
  fetched: 'Fetched',
  measured: 'Measured',
  reserved: 'Minutes set aside',
  recognised: 'Turned into text',
  answered: 'Answered',
  edited: 'Corrected',
  refreshed: 'Transcribed again',
  failed: 'Failed',
}

const lasted = (ms: number | null) => (ms === null ? '' : `${figure(ms / 1000)} s`)

/** What happened to the note, folded away. */
export function Timeline({ timeline }: Pick<TranscriptionDocument, 'timeline'>) {
  if (!timeline.length) return null
  return (
    <details className="mt-10 border-line border-t pt-4">
      <summary className="font-semibold">What happened to this note</summary>
      <ol className="mt-3 grid gap-1.5 text-sm">
        {timeline.map(({ step, at, ms, detail }) => (
          <li key={`${step} ${at}`} className="flex flex-wrap gap-x-3">
            <time dateTime={at} className="text-soft tabular-nums">
              {timeFormat.format(new Date(at))}
            </time>
            <span className="font-medium">{STEPS[step] ?? step}</span>
            <span className="wrap-anywhere text-soft">{[detail, lasted(ms)].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
