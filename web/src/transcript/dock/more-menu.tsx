import type { Segment, TranscriptionDocument, Translation } from '@voxscribe/contracts/http'
import { languageName } from '@voxscribe/contracts/languages'
import { clock } from '@voxscribe/contracts/wording'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { i18n } from '../../language/i18n.ts'
import { Again } from '../../note/again.tsx'
import { useDeleteNotes } from '../../note/deletions.ts'
import { ENTRY, FormatEntries, saveExport } from '../../note/exports.tsx'
import { AskButton } from '../../ui/action/ask-button.tsx'
import { Button } from '../../ui/action/button.tsx'
import { Menu } from '../../ui/action/menu.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Tick } from '../../ui/form/tick.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { ShareLink } from './share-link.tsx'

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
          <span className="sr-only">{i18n.t('More actions')}</span>
        </>
      }
      button="min-h-9 border border-edge/60 bg-surface px-4 text-sm hover:border-accent hover:text-accent"
      panel="z-30 max-h-[80dvh] overflow-y-auto rounded-card p-2 max-sm:fixed max-sm:inset-x-3 max-sm:bottom-3 sm:start-0 sm:mt-1 sm:w-72 [&>:not(dialog)]:w-full [&>button]:min-h-11 [&>button]:justify-start [&>button]:border-0 [&>button]:px-3 [&>button]:text-base [&>button]:font-normal"
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
            {i18n.t('Rename')}
          </Button>
          {player && (
            <Button variant="quiet" aria-pressed={following.isOn} onClick={following.toggle}>
              {following.isOn && '✓ '}
              {i18n.t('Follow along')}
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
                {note.showsOriginal ? i18n.t('Show corrections') : i18n.t('Show original')}
              </Button>
              <AskButton
                label={i18n.t('Restore original')}
                title={i18n.t('Restore the original text?')}
                confirmLabel={i18n.t('Restore it')}
                closeLabel={i18n.t('Keep my corrections')}
                danger
                onConfirm={() => {
                  close()
                  note.setShowsOriginal(false)
                  corrections.restore()
                }}
              >
                {i18n.t('Your corrections will be discarded.')}
              </AskButton>
            </>
          )}
          {note.hasText && (
            <CopyButton text={withTimes(segments)} label={i18n.t('Copy with times')} variant="quiet" />
          )}
          {status === 'completed' && <ShareLink {...document} />}
          {(status === 'completed' || audioUrl) && (
            <Downloads {...document} translation={note.translation} onDone={close} />
          )}
          {status !== 'processing' && audioAvailable && <Again {...document} onDone={close} />}
          <Button
            variant="quiet"
            onClick={() => {
              deleteNotes([id])
              navigate('/transcription-history', { replace: true })
            }}
          >
            {i18n.t('Delete')}
          </Button>
        </>
      )}
    </Menu>
  )
}

interface DownloadsProps extends TranscriptionDocument {
  /** The one that is shown: files are in its language. */
  translation: Translation | undefined
  onDone(): void
}

function Downloads({ translation, onDone, ...note }: DownloadsProps) {
  const [times, setTimes] = useState(true)
  const { id, title, audioUrl, timesExact, status } = note
  return (
    <fieldset className="border-line border-y py-1">
      <legend className="sr-only">{i18n.t('Download')}</legend>
      {status === 'completed' && (
        <>
          <Tick className="px-3" checked={times} onChange={event => setTimes(event.target.checked)}>
            {i18n.t('With times (TXT and DOCX)')}
          </Tick>
          {translation && (
            <p className="px-3 text-soft text-sm">
              {i18n.t('In {language}, as shown', { language: languageName(i18n, translation.language) })}
            </p>
          )}
          <FormatEntries
            onPick={format => {
              onDone()
              const withoutTimes = !times && (format === 'txt' || format === 'docx')
              const language = translation && { language: translation.language }
              const query = { format, ...(withoutTimes && { times: 'off' }), ...language }
              void saveExport('exportTranscription', { params: { id }, query }, `${title}.${format}`)
            }}
            hint={format =>
              !timesExact &&
              (format === 'srt' || format === 'vtt') && (
                <span className="block text-soft text-sm">{i18n.t('Times are estimates')}</span>
              )
            }
          />
        </>
      )}
      {audioUrl && (
        <a href={`${audioUrl}${audioUrl.includes('?') ? '&' : '?'}download=1`} download className={ENTRY}>
          {i18n.t('Audio')}
        </a>
      )}
    </fieldset>
  )
}
