import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { roughly } from '@voxscribe/contracts/wording'
import { useConfig } from '../../api/config.ts'
import { i18n } from '../../language/i18n.ts'
import { clockTime } from '../../language/times.ts'
import { languageTag } from '../../note/note-row.tsx'
import { Failure, noticeIn } from '../../note/reasons.tsx'
import { Button, Spinner } from '../../ui/action/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Bar } from '../../ui/feedback/meter.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Edits } from '../correct/save-state.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { Legend } from './doubts.tsx'
import { MarkedWords } from './marked-words.tsx'
import { Segments } from './segments.tsx'

/** The text or, if there is none, the reason and what to do about it. */
export function TranscriptBody(note: OpenNote) {
  const { document, hasText } = note
  return hasText ? (
    <Text {...note} />
  ) : (
    <div className="mt-3 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:mt-0">
      {document.status === 'processing' && <Progress {...document} />}
      <Missing {...document} />
      {document.partial && (
        <section aria-label={i18n.t('Transcript so far')} className="mt-4">
          <p dir="auto" lang={languageTag(document.language)} className="max-w-prose text-lg leading-relaxed">
            {document.partial.text} …
          </p>
        </section>
      )}
    </div>
  )
}

function Missing(document: TranscriptionDocument) {
  const { status } = document
  const notice = noticeIn(document)
  if (status === 'failed')
    return (
      <Banner>
        <Failure {...document} />
      </Banner>
    )
  return (
    <Banner tone="info">
      {status === 'processing' ? (
        <>
          <Spinner />{' '}
          {notice ?? i18n.t('This note is being transcribed. The text will appear here automatically.')}
        </>
      ) : (
        <>
          {notice ?? i18n.t('No speech found')}
          <br />
          {i18n.t(
            'That didn’t use any minutes. If someone does speak in it, transcribe it again in their language.',
          )}
        </>
      )}
    </Banner>
  )
}

function Text(note: OpenNote) {
  return (
    <section
      ref={note.region}
      tabIndex={-1}
      aria-label={i18n.t('Transcript')}
      className={classes(
        'mt-2 focus:outline-none sm:mt-4 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:mt-0',
        note.isCorrecting && 'max-sm:pb-20',
      )}
    >
      <Segments {...note} />
      <Legend {...note} />
      <Edits {...note} />
      <MarkedWords {...note} />
    </section>
  )
}

const MAGNIFIER = 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.7-1.8L20 20'

const VIEW =
  'min-h-press rounded-control px-2 text-soft text-sm hover:bg-wash aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:underline aria-pressed:decoration-2 aria-pressed:decoration-accent aria-pressed:underline-offset-8'

/** Chooses how the text is shown, and searches it. */
export const Views = ({ hasText, isByLine, isCorrecting, setByLine, show, player, following }: OpenNote) =>
  hasText &&
  !isCorrecting && (
    <fieldset
      aria-label={i18n.t('View')}
      className="print:hidden -mx-2 flex flex-wrap gap-1 max-[22.5rem]:-mx-1.5 max-sm:w-[calc(100%+1rem)] max-[22.5rem]:w-[calc(100%+0.75rem)] max-[22.5rem]:gap-0 max-[22.5rem]:*:px-1.5 sm:ms-auto"
    >
      {[false, true].map(byLine => (
        <button
          key={String(byLine)}
          type="button"
          aria-pressed={isByLine === byLine}
          onClick={() => setByLine(byLine)}
          className={VIEW}
        >
          {byLine ? i18n.t('Line by line') : i18n.t('Reading')}
        </button>
      ))}
      {player && (
        <Checkbox checked={following.isOn} onChange={following.toggle} className="px-2 text-soft text-sm">
          {i18n.t('Follow along')}
        </Checkbox>
      )}
      <Button
        size="small"
        variant="quiet"
        className="max-sm:ms-auto"
        aria-label={i18n.t('Search in this note')}
        onClick={() => show({ isSearching: true })}
      >
        <Icon of={MAGNIFIER} className="size-5" />
      </Button>
    </fieldset>
  )

/** How much of a note in progress has been transcribed, in words and as a bar, and how long the rest may take. */
function Progress({ partial, durationSeconds }: TranscriptionDocument) {
  const pace = useConfig().data?.speech?.secondsPerMinute
  if (!durationSeconds) return null
  if (!partial)
    return pace ? (
      <p className="mb-3 text-soft text-sm">
        {i18n.t('Ready in {time}', { time: roughly(i18n, (durationSeconds / 60) * pace) })}
      </p>
    ) : null
  const { seconds, secondsLeft } = partial
  const values = { heard: clockTime(seconds), whole: clockTime(durationSeconds) }
  return (
    <div className="mb-3">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm tabular-nums">
        <span className="font-semibold">{i18n.t('{heard} of {whole}', values)}</span>
        {secondsLeft !== null && (
          <span className="text-soft">{i18n.t('Ready in {time}', { time: roughly(i18n, secondsLeft) })}</span>
        )}
      </p>
      <Bar
        aria-label={i18n.t('Transcribed so far')}
        value={seconds}
        max={durationSeconds}
        className="mt-1 w-full"
      />
    </div>
  )
}
