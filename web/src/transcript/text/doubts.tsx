import { Trans } from '@lingui/react'
import { ENGLISH_ONLY } from '@voxscribe/contracts/reasons'
import { i18n } from '../../language/i18n.ts'
import { ListNotice } from '../../note/note-row.tsx'
import { Notice, noticeIn } from '../../note/reasons.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { hasUnsureWords } from './spoken-text.tsx'

/** Below this confidence, the whole text is doubtful. */
const LOW_CONFIDENCE = 0.5

/** Warnings to read before the text, and the other note that the text comes from, if any. */
export function Doubts({ document, hasText }: OpenNote) {
  const { confidenceScore, notices = [], sameAs } = document
  if (!hasText) return null
  const notice = noticeIn({
    ...document,
    notices: notices.filter(({ code }) => code !== 'doubtful' && code !== ENGLISH_ONLY),
  })
  return (
    <>
      {confidenceScore !== null && confidenceScore < LOW_CONFIDENCE && (
        <Banner tone="warning" className="mt-2 text-sm lg:mt-0 lg:mb-3">
          {i18n.t(
            'Much of this text may be wrong: the recording was hard to understand. Listen along before you rely on it.',
          )}
        </Banner>
      )}
      <ListNotice notes={[document]} />
      {notice && (
        <p className="mb-1 text-soft text-xs sm:text-sm">
          <Notice sameAs={notices.some(({ code }) => code === 'same_as') ? sameAs : null}>{notice}</Notice>
        </p>
      )}
    </>
  )
}

/** Explains the underlining and the times; shown below the text. */
export const Legend = ({ document: { segments, timesExact } }: OpenNote) => (
  <div className="mt-4 grid gap-1 text-soft text-xs/5 sm:text-sm">
    {hasUnsureWords(segments) && (
      <p>
        <Trans
          id="<0>Underlined</0> words may be wrong. Click one to hear it."
          components={{
            0: <span className="underline decoration-1 decoration-warn decoration-wavy underline-offset-3" />,
          }}
        />
      </p>
    )}
    {!timesExact && <p>{i18n.t('The times are estimates.')}</p>}
  </div>
)
