import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { EXPORT_LABELS, type ExportFormat, saveExport } from '../note/exports.ts'

const SUBTITLES = ['srt', 'vtt']

const ENTRY = 'block min-h-11 w-full rounded-control px-3 py-2 text-start hover:bg-wash'

function exportAs({ id, title }: TranscriptionDocument, format: ExportFormat, times: boolean) {
  const withoutTimes = !times && (format === 'txt' || format === 'docx')
  const query = { format, ...(withoutTimes && { times: 'off' }) }
  return saveExport('exportTranscription', { params: { id }, query }, `${title}.${format}`)
}

/** The files that a note can be downloaded as. */
export function DownloadEntries({ document, onDone }: { document: TranscriptionDocument; onDone(): void }) {
  const [times, setTimes] = useState(true)
  const { audioUrl, timesExact, status } = document
  return (
    <fieldset className="border-line border-y py-1">
      <legend className="sr-only">Download</legend>
      {status === 'completed' && (
        <label className="flex min-h-11 items-center gap-2 px-3">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={times}
            onChange={event => setTimes(event.target.checked)}
          />
          With times (TXT and DOCX)
        </label>
      )}
      {status === 'completed' &&
        Object.entries(EXPORT_LABELS).map(([format, label]) => (
          <button
            key={format}
            type="button"
            className={ENTRY}
            onClick={() => {
              onDone()
              void exportAs(document, format as ExportFormat, times)
            }}
          >
            {label}
            {!timesExact && SUBTITLES.includes(format) && (
              <span className="block text-soft text-sm">Times are estimates</span>
            )}
          </button>
        ))}
      {audioUrl && (
        <a href={`${audioUrl}${audioUrl.includes('?') ? '&' : '?'}download=1`} download className={ENTRY}>
          Audio
        </a>
      )}
    </fieldset>
  )
}
