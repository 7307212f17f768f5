import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { download } from '../session/client.ts'
import { messageOf } from '../ui/error-message.ts'
import { Menu } from '../ui/menu.tsx'
import { saveFile } from '../ui/save-file.ts'
import { toast } from '../ui/toast.ts'
import { EXPORT_LABELS, type ExportFormat } from './note/export-labels.ts'

const SUBTITLES = ['srt', 'vtt']

const ITEM = 'block min-h-11 w-full rounded-control px-3 py-2 text-start hover:bg-wash'

async function exportAs(
  { id, title }: TranscriptionDocument,
  format: ExportFormat,
  times: boolean,
): Promise<void> {
  const withoutTimes = !times && (format === 'txt' || format === 'docx')
  const query = { format, ...(withoutTimes && { times: 'off' }) }
  try {
    const { content, fileName } = await download('exportTranscription', { params: { id }, query })
    saveFile(content, fileName ?? `${title}.${format}`)
  } catch (error) {
    toast(messageOf(error, 'The file couldn’t be downloaded'), { type: 'error' })
  }
}

export function ExportMenu({ document }: { document: TranscriptionDocument }) {
  const [times, setTimes] = useState(true)
  const { audioUrl, timesExact } = document
  return (
    <Menu
      label="Download"
      button="min-h-9 border border-edge/60 bg-surface px-3 text-sm hover:border-accent hover:text-accent"
      panel="start-0 z-30 mt-1 w-72 rounded-card p-2"
    >
      {close => (
        <>
          <label className="flex min-h-11 items-center gap-2 px-3">
            <input
              type="checkbox"
              className="size-5 accent-accent"
              checked={times}
              onChange={event => setTimes(event.target.checked)}
            />
            With times (TXT and DOCX)
          </label>
          {Object.entries(EXPORT_LABELS).map(([format, label]) => (
            <button
              key={format}
              type="button"
              className={ITEM}
              onClick={() => {
                close()
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
            <a href={`${audioUrl}${audioUrl.includes('?') ? '&' : '?'}download=1`} download className={ITEM}>
              Audio
            </a>
          )}
        </>
      )}
    </Menu>
  )
}
