import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { figure, fileSize } from '../../ui/figures.ts'

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

/** The file, what did not recognise it and why, and what happened to the note: folded away. */
export function NoteDetails({ timeline, engine, fileName, fileSize: bytes }: TranscriptionDocument) {
  return (
    <details className="mt-10 border-line border-t pt-4 text-sm">
      <summary className="font-semibold text-base">What happened to this note</summary>
      <p className="wrap-anywhere mt-3">
        {fileName}, {fileSize(bytes)}
      </p>
      {engine?.instead.map(({ name, reason }) => (
        <p key={name} className="mt-1 text-soft">
          Not {name}: {reason}
        </p>
      ))}
      <ol className="mt-3 grid gap-1.5">
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
