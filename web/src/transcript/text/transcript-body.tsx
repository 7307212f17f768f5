import { Trans } from '@lingui/react'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { i18n } from '../../language/i18n.ts'
import { Failure } from '../../note/failure.tsx'
import { languageTag } from '../../note/note-row.tsx'
import { Notice, noticeIn } from '../../note/notice.tsx'
import { Button } from '../../ui/action/button.tsx'
import { Spinner } from '../../ui/action/spinner.tsx'
import { classes } from '../../ui/classes.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TranslationChoice } from '../made/translation-choice.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { Segments } from './segments.tsx'
import { hasUnsureWords } from './words.ts'

/** With less confidence the whole text is doubtful. */
const LOW_CONFIDENCE = 0.5

/** The text or, while there is none, the reason and what to do about it. */
export function TranscriptBody(note: OpenNote) {
  const { document, hasText } = note
  return hasText ? (
    <Text {...note} />
  ) : (
    <div className="mt-4">
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
        i18n.t(
          '{notice}. It didn’t use any minutes. If someone does speak in it, transcribe it again in their language.',
          { notice: notice ?? i18n.t('No speech found') },
        )
      )}
    </Banner>
  )
}

function Text(note: OpenNote) {
  const { original, segments, notices, sameAs } = note.document
  const notice = noticeIn(note.document)
  const shown = note.showsOriginal && original ? original.segments : note.corrections.corrected(segments)
  return (
    <section
      id="transcript"
      tabIndex={-1}
      aria-label={i18n.t('Transcript')}
      className={classes(
        'mt-1 flex flex-col focus:outline-none sm:mt-4',
        note.isCorrecting && 'max-sm:pb-20',
      )}
    >
      {notice && !notices?.every(({ code }) => code === 'doubtful') && (
        <p className="mb-1 text-soft text-xs sm:text-sm">
          <Notice sameAs={notices?.some(({ code }) => code === 'same_as') ? sameAs : null}>{notice}</Notice>
        </p>
      )}
      <Doubts {...note.document} />
      <TranslationChoice {...note} />
      <Views {...note} />
      <Segments {...note} segments={shown} />
    </section>
  )
}

const MAGNIFIER = 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.7-1.8L20 20'

const Views = ({ isByLine, isCorrecting, setByLine, setSearching }: OpenNote) =>
  !isCorrecting && (
    <fieldset aria-label={i18n.t('View')} className="-mx-2 mb-1 flex gap-1">
      {[false, true].map(byLine => (
        <button
          key={String(byLine)}
          type="button"
          aria-pressed={isByLine === byLine}
          onClick={() => setByLine(byLine)}
          className="min-h-9 rounded-control px-2 text-soft text-sm hover:bg-wash aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:underline aria-pressed:decoration-2 aria-pressed:decoration-accent aria-pressed:underline-offset-8"
        >
          {byLine ? i18n.t('Line by line') : i18n.t('Reading')}
        </button>
      ))}
      <Button
        size="small"
        variant="quiet"
        className="ms-auto"
        aria-label={i18n.t('Search in this note')}
        onClick={() => setSearching(true)}
      >
        <Icon of={MAGNIFIER} className="size-5" />
      </Button>
    </fieldset>
  )

/** Explains the underlining once, and warns when the whole text is doubtful. */
const Doubts = ({ confidenceScore, segments, timesExact }: TranscriptionDocument) => (
  <>
    {confidenceScore !== null && confidenceScore < LOW_CONFIDENCE && (
      <Banner tone="warning" className="mb-3">
        {i18n.t(
          'Much of this text may be wrong: the recording was hard to understand. Listen along before you rely on it.',
        )}
      </Banner>
    )}
    {hasUnsureWords(segments) && (
      <p className="text-soft text-xs max-sm:order-last max-sm:mt-3 sm:text-sm">
        <Trans
          id="<0>Underlined</0> words may be wrong. Click one to hear it."
          components={{
            0: <span className="underline decoration-2 decoration-warn decoration-wavy underline-offset-4" />,
          }}
        />
      </p>
    )}
    {!timesExact && (
      <p className="text-soft text-xs max-sm:order-last max-sm:mt-3 sm:text-sm">
        {i18n.t('The times are estimates.')}
      </p>
    )}
  </>
)
