import type { Segment } from '@voxscribe/contracts/http'
import { languageName } from '@voxscribe/contracts/languages'
import { clock } from '@voxscribe/contracts/wording'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { i18n } from '../../language/i18n.ts'
import { useDeleteNotes } from '../../note/deletions.ts'
import { ENTRY, FormatEntries, saveExport } from '../../note/exports.tsx'
import { Button } from '../../ui/action/button.tsx'
import { Group, Menu } from '../../ui/action/menu.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Chevron } from '../../ui/icon.tsx'
import { useWide } from '../../ui/layout/use-wide.ts'
import { useTextModel } from '../derived/gist.tsx'
import { useHasSpeakerModel } from '../speakers/who-speaks.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { openInObsidian } from './obsidian.ts'

/** The less frequent actions. Deleting comes last and is always visible. */
export function MoreMenu(note: OpenNote) {
  const { document, hasText } = note
  const { status, audioUrl, audioAvailable, speakers = [], speakersProgress } = document
  const navigate = useNavigate()
  const deleteNotes = useDeleteNotes()
  const [hasModel, hasSpeakerModel, isWide] = [useTextModel(), useHasSpeakerModel(), useWide()]
  const isDone = status === 'completed'
  const canAskWhoSpeaks =
    hasText && hasSpeakerModel && audioAvailable && !speakers.length && speakersProgress === null && !isWide
  return (
    <Menu
      label={
        <>
          <span aria-hidden="true">⋯</span>
          <span className="sr-only">{i18n.t('More actions')}</span>
        </>
      }
      button="min-h-9 border border-edge/60 bg-surface px-4 text-sm hover:border-accent hover:text-accent"
      panel="z-30 overflow-y-auto rounded-card px-2 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-b-none max-sm:max-h-[80dvh] sm:end-0 sm:mt-1 sm:max-h-[calc(100dvh-16rem)] sm:w-80 sm:max-lg:start-0 sm:max-lg:end-auto"
    >
      {close => {
        const entry = (name: string, opened: Parameters<OpenNote['show']>[0]) => (
          <Button
            variant="quiet"
            onClick={() => {
              close()
              note.show(opened)
            }}
          >
            {name}
          </Button>
        )
        return (
          <>
            <Group title={i18n.t('This note|voice note')} className="pt-2">
              {isDone && entry(i18n.t('Share'), { isSharing: true })}
              {(isDone || audioUrl) && <DownloadEntry {...note} onDone={close} />}
              {hasText && hasModel && entry(i18n.t('Translate'), { isTranslating: true })}
              {hasText && entry(i18n.t('Quote'), { quoting: [0, 0] })}
              {entry(i18n.t('Rename'), { isRenaming: true })}
              {canAskWhoSpeaks && entry(i18n.t('Who speaks?'), { isAskingWhoSpeaks: true })}
            </Group>
            <Group title={i18n.t('Delete')} className="sticky bottom-0 bg-surface pb-2">
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

function DownloadEntry({ onDone, ...note }: OpenNote & { onDone(): void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="[&>span]:flex [&>span]:grow [&>span]:items-center [&>span]:justify-between"
      >
        {i18n.t('Download')}
        <Chevron className={classes('transition-transform', !isOpen && '-rotate-90 rtl:rotate-90')} />
      </Button>
      {isOpen && <Downloads {...note} onDone={onDone} />}
    </>
  )
}

/** Formats in which times can be left out. */
const WITH_TIMES = ['txt', 'docx', 'pdf', 'md']

/** Returns one line per passage, as on the page. */
const withTimes = (segments: Segment[]) =>
  segments.map(({ from, text }) => `${clock(from)} ${text}`).join('\n')

/** The files that a note can be saved as, or copied as text. Files are in the displayed language. */
function Downloads({ document, translation, hasText, onDone }: OpenNote & { onDone(): void }) {
  const [times, setTimes] = useState(true)
  const [hasTexts, setTexts] = useState(false)
  const isAnyMade = document.texts.some(text => text.status === 'done')
  const { id, title, segments, audioUrl, timesExact, status } = document
  const save = (query: Record<'format', string> & Record<string, string>) => {
    onDone()
    void saveExport('exportTranscription', { params: { id }, query }, `${title}.${query.format}`)
  }
  const audio = audioUrl && (
    <a href={`${audioUrl}${audioUrl.includes('?') ? '&' : '?'}download=1`} download className={ENTRY}>
      {i18n.t('Audio|recording')}
    </a>
  )
  if (status !== 'completed') return audio
  return (
    <div className="ms-3 border-line border-s-2">
      <Checkbox className="px-3" checked={times} onChange={event => setTimes(event.target.checked)}>
        {i18n.t('Texts with times')}
      </Checkbox>
      {isAnyMade && (
        <Checkbox className="px-3" checked={hasTexts} onChange={event => setTexts(event.target.checked)}>
          {i18n.t('With the texts in your forms')}
        </Checkbox>
      )}
      {translation && (
        <p className="px-3 text-soft text-sm">
          {i18n.t('In {language}, as shown', { language: languageName(i18n, translation.language) })}
        </p>
      )}
      {!timesExact && <p className="px-3 text-soft text-sm">{i18n.t('Times are estimates')}</p>}
      <FormatEntries
        onPick={format =>
          save({
            format,
            ...(WITH_TIMES.includes(format) && { times: times ? 'on' : 'off' }),
            ...(translation && { language: translation.language }),
            ...(hasTexts && { texts: 'on' }),
          })
        }
      />
      <button type="button" className={ENTRY} onClick={() => save({ format: 'pdf', certified: 'on' })}>
        {i18n.t('PDF with checksums')}
      </button>
      {audio}
      {hasText && <CopyButton text={withTimes(segments)} label={i18n.t('Copy with times')} variant="quiet" />}
      <button
        type="button"
        className={ENTRY}
        onClick={() => {
          onDone()
          void openInObsidian(document)
        }}
      >
        {i18n.t('Open in Obsidian')}
      </button>
    </div>
  )
}
