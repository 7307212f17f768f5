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
import { Group, Menu } from '../../ui/action/menu.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Tick } from '../../ui/form/tick.tsx'
import { useWide } from '../../ui/layout/use-wide.ts'
import { useTextModel } from '../derived/use-making.ts'
import type { OpenNote } from '../use-open-note.ts'
import { openInObsidian } from './obsidian.ts'
import { ShareLink } from './share-link.tsx'

/** Returns one line per passage, as on the page. */
const withTimes = (segments: Segment[]) =>
  segments.map(({ from, text }) => `${clock(from)} ${text}`).join('\n')

/** Everything that is done less often, in groups; deleting is the last. */
export function MoreMenu({ document, player, following, corrections, ...note }: OpenNote) {
  const { status, segments, original, audioUrl, audioAvailable } = document
  const navigate = useNavigate()
  const deleteNotes = useDeleteNotes()
  const [hasModel, isWide] = [useTextModel(), useWide()]
  const canTranslate = hasModel && !isWide && note.hasText
  return (
    <Menu
      label={
        <>
          <span aria-hidden="true">⋯</span>
          <span className="sr-only">{i18n.t('More actions')}</span>
        </>
      }
      button="min-h-9 border border-edge/60 bg-surface px-4 text-sm hover:border-accent hover:text-accent"
      panel="z-30 overflow-y-auto rounded-card p-2 max-sm:fixed max-sm:inset-x-3 max-sm:bottom-3 max-sm:max-h-[80dvh] sm:end-0 sm:mt-1 sm:max-h-[calc(100dvh-20rem)] sm:w-80 sm:max-lg:start-0 sm:max-lg:end-auto"
    >
      {close => {
        const closing = (act: () => void) => () => {
          close()
          act()
        }
        return (
          <>
            <Group title={i18n.t('This note|voice note')}>
              <Button variant="quiet" onClick={closing(() => note.setRenaming(true))}>
                {i18n.t('Rename')}
              </Button>
              {canTranslate && (
                <Button
                  variant="quiet"
                  aria-pressed={note.isTranslating}
                  onClick={closing(() => note.setTranslating(!note.isTranslating))}
                >
                  {note.isTranslating && '✓ '}
                  {i18n.t('Translate')}
                </Button>
              )}
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
                    onClick={closing(() => note.setShowsOriginal(!note.showsOriginal))}
                  >
                    {note.showsOriginal ? i18n.t('Show corrections') : i18n.t('Show original')}
                  </Button>
                  <AskButton
                    label={i18n.t('Restore original')}
                    title={i18n.t('Restore the original text?')}
                    confirmLabel={i18n.t('Restore it')}
                    closeLabel={i18n.t('Keep my corrections')}
                    danger
                    onConfirm={closing(() => {
                      note.setShowsOriginal(false)
                      corrections.restore()
                    })}
                  >
                    {i18n.t('Your corrections will be discarded.')}
                  </AskButton>
                </>
              )}
              {status !== 'processing' && audioAvailable && <Again {...document} onDone={close} />}
            </Group>
            {status === 'completed' && (
              <Group title={i18n.t('Share')}>
                {note.hasText && (
                  <CopyButton text={withTimes(segments)} label={i18n.t('Copy with times')} variant="quiet" />
                )}
                {note.hasText && (
                  <Button variant="quiet" onClick={closing(() => note.setQuoting(true))}>
                    {i18n.t('Quote a passage')}
                  </Button>
                )}
                <ShareLink {...document} />
                <Button variant="quiet" onClick={closing(() => void openInObsidian(document))}>
                  {i18n.t('Open in Obsidian')}
                </Button>
              </Group>
            )}
            {(status === 'completed' || audioUrl) && (
              <Downloads {...document} translation={note.translation} onDone={close} />
            )}
            <Group title={i18n.t('Delete')}>
              <Button
                variant="danger"
                onClick={() => {
                  deleteNotes([document])
                  navigate('/transcription-history', { replace: true })
                }}
              >
                {i18n.t('Delete')}
              </Button>
            </Group>
          </>
        )
      }}
    </Menu>
  )
}

interface DownloadsProps extends TranscriptionDocument {
  /** The one that is shown: files are in its language. */
  translation: Translation | undefined
  onDone(): void
}

/** Formats in which times can be left out. */
const WITH_TIMES = ['txt', 'docx', 'pdf', 'md']

function Downloads({ translation, onDone, ...note }: DownloadsProps) {
  const [times, setTimes] = useState(true)
  const { id, title, audioUrl, timesExact, status } = note
  const save = (query: Record<'format', string> & Record<string, string>) => {
    onDone()
    void saveExport('exportTranscription', { params: { id }, query }, `${title}.${query.format}`)
  }
  return (
    <Group title={i18n.t('Download')}>
      {status === 'completed' && (
        <>
          <Tick className="px-3" checked={times} onChange={event => setTimes(event.target.checked)}>
            {i18n.t('Texts with times')}
          </Tick>
          {translation && (
            <p className="px-3 text-soft text-sm">
              {i18n.t('In {language}, as shown', { language: languageName(i18n, translation.language) })}
            </p>
          )}
          {!timesExact && <p className="px-3 text-soft text-sm">{i18n.t('Times are estimates')}</p>}
        </>
      )}
      <div className="grid grid-cols-2">
        {status === 'completed' && (
          <FormatEntries
            onPick={format =>
              save({
                format,
                ...(WITH_TIMES.includes(format) && { times: times ? 'on' : 'off' }),
                ...(translation && { language: translation.language }),
              })
            }
          />
        )}
        {status === 'completed' && (
          <button type="button" className={ENTRY} onClick={() => save({ format: 'pdf', certified: 'on' })}>
            {i18n.t('Certified PDF')}
          </button>
        )}
        {audioUrl && (
          <a href={`${audioUrl}${audioUrl.includes('?') ? '&' : '?'}download=1`} download className={ENTRY}>
            {i18n.t('Audio|recording')}
          </a>
        )}
      </div>
    </Group>
  )
}
