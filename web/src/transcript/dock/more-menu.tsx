import type { Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { AskButton } from '../../ui/ask-button.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { clock } from '../../ui/figures.ts'
import { Menu } from '../../ui/menu.tsx'
import { Again } from '../note/again.tsx'
import { useDeleteNotes } from '../note/deletions.ts'
import { ENTRY, FormatEntries, saveExport } from '../note/exports.tsx'
import type { OpenNote } from '../use-open-note.ts'

/** Returns one line per passage, as on the page. */
const withTimes = (segments: Segment[]) =>
  segments.map(({ from, text }) => `${clock(from)} ${text}`).join('\n')

/** Everything that is done less often. */
export function MoreMenu({ document, player, following, corrections, ...note }: OpenNote) {
  const { id, status, segments, original, audioUrl, audioAvailable } = document
  const navigate = useNavigate()
  const deleteNotes = useDeleteNotes()
  return (
    <Menu
      label={
        <>
          <span aria-hidden="true">⋯</span>
          <span className="sr-only">More actions</span>
        </>
      }
      button="min-h-9 border border-edge/60 bg-surface px-4 text-sm hover:border-accent hover:text-accent"
      panel="z-30 max-h-[80dvh] overflow-y-auto rounded-card p-2 max-sm:fixed max-sm:inset-x-3 max-sm:bottom-3 sm:start-0 sm:mt-1 sm:w-72 *:w-full [&>button]:min-h-11 [&>button]:justify-start [&>button]:border-0 [&>button]:px-3 [&>button]:text-base [&>button]:font-normal"
    >
      {close => (
        <>
          <Button
            variant="quiet"
            onClick={() => {
              close()
              note.setRenaming(true)
            }}
          >
            Rename
          </Button>
          {player && (
            <Button variant="quiet" aria-pressed={following.isOn} onClick={following.toggle}>
              {following.isOn ? '✓ ' : ''}Follow along
            </Button>
          )}
          {original && (
            <>
              <Button
                variant="quiet"
                aria-pressed={note.showsOriginal}
                onClick={() => {
                  close()
                  note.setShowsOriginal(!note.showsOriginal)
                }}
              >
                {note.showsOriginal ? 'Show corrections' : 'Show original'}
              </Button>
              <AskButton
                label="Restore original"
                title="Restore the original text?"
                confirmLabel="Restore it"
                closeLabel="Keep my corrections"
                danger
                onConfirm={() => {
                  close()
                  note.setShowsOriginal(false)
                  corrections.restore()
                }}
              >
                Your corrections will be discarded.
              </AskButton>
            </>
          )}
          {note.hasText && <CopyButton text={withTimes(segments)} label="Copy with times" variant="quiet" />}
          {(status === 'completed' || audioUrl) && <Downloads {...document} onDone={close} />}
          {status !== 'processing' && audioAvailable && <Again {...document} onDone={close} />}
          <Button
            variant="quiet"
            onClick={() => {
              deleteNotes([id])
              navigate('/transcription-history', { replace: true })
            }}
          >
            Delete
          </Button>
        </>
      )}
    </Menu>
  )
}

function Downloads({ onDone, ...note }: TranscriptionDocument & { onDone(): void }) {
  const [times, setTimes] = useState(true)
  const { id, title, audioUrl, timesExact, status } = note
  return (
    <fieldset className="border-line border-y py-1">
      <legend className="sr-only">Download</legend>
      {status === 'completed' && (
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
          <FormatEntries
            onPick={format => {
              onDone()
              const withoutTimes = !times && (format === 'txt' || format === 'docx')
              const query = { format, ...(withoutTimes && { times: 'off' }) }
              void saveExport('exportTranscription', { params: { id }, query }, `${title}.${format}`)
            }}
            hint={format =>
              !timesExact &&
              (format === 'srt' || format === 'vtt') && (
                <span className="block text-soft text-sm">Times are estimates</span>
              )
            }
          />
        </>
      )}
      {audioUrl && (
        <a href={`${audioUrl}${audioUrl.includes('?') ? '&' : '?'}download=1`} download className={ENTRY}>
          Audio
        </a>
      )}
    </fieldset>
  )
}
