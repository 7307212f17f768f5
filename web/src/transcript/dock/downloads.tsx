import type { Segment } from '@voxscribe/contracts/http'
import { languageName } from '@voxscribe/contracts/languages'
import { clock } from '@voxscribe/contracts/wording'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ENTRY, FormatEntries, saveExport } from '../../note/exports.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Tick } from '../../ui/form/tick.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { openInObsidian } from './obsidian.ts'

/** Formats in which times can be left out. */
const WITH_TIMES = ['txt', 'docx', 'pdf', 'md']

/** Returns one line per passage, as on the page. */
const withTimes = (segments: Segment[]) =>
  segments.map(({ from, text }) => `${clock(from)} ${text}`).join('\n')

/** The ways in which a note leaves as a file, or as text that is one. Files are in the language that is shown. */
export function Downloads({ document, translation, hasText, onDone }: OpenNote & { onDone(): void }) {
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
      <Tick className="px-3" checked={times} onChange={event => setTimes(event.target.checked)}>
        {i18n.t('Texts with times')}
      </Tick>
      {isAnyMade && (
        <Tick className="px-3" checked={hasTexts} onChange={event => setTexts(event.target.checked)}>
          {i18n.t('With the texts in your forms')}
        </Tick>
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
