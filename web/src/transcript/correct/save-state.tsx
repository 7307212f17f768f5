import { i18n } from '../../language/i18n.ts'
import { languageTag } from '../../note/note-row.tsx'
import { AskButton } from '../../ui/action/ask-button.tsx'
import { Button } from '../../ui/action/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import type { OpenNote } from '../use-open-note.ts'
import type { Corrections } from './corrections.ts'

export const SaveState = ({ saving, retry }: Corrections) =>
  typeof saving === 'string' ? (
    <span role="status" className="text-soft text-sm">
      {{ idle: '', saving: i18n.t('Saving…'), saved: i18n.t('Saved') }[saving]}
    </span>
  ) : (
    <span role="alert" className="flex flex-wrap items-center gap-2 font-medium text-bad text-sm">
      {i18n.t('Not saved: {why}', { why: saving.failed })}
      <Button variant="secondary" size="small" onClick={retry}>
        {i18n.t('Try again')}
      </Button>
    </span>
  )

/** Shows both versions of a passage that was changed in two places, and lets the person choose. */
export const Conflicts = ({
  conflicts,
  keepMine,
  keepTheirs,
  language,
}: Corrections & { language: string }) =>
  conflicts.map(conflict => (
    <Banner
      key={`${conflict.id} ${conflict.after}`}
      tone="warning"
      className="mt-2"
      action={
        <div className="flex flex-wrap gap-2">
          {conflict.theirs !== null && (
            <Button size="small" onClick={() => keepMine(conflict)}>
              {i18n.t('Use mine')}
            </Button>
          )}
          <Button size="small" variant="secondary" onClick={() => keepTheirs(conflict)}>
            {i18n.t('Keep the other')}
          </Button>
        </div>
      }
    >
      {i18n.t('This passage was changed in another tab while you were editing it.')}
      <dl className="mt-2 grid gap-1 font-normal text-ink">
        <dt className="font-semibold">{i18n.t('Yours')}</dt>
        <dd dir="auto" lang={languageTag(language)}>
          {conflict.after}
        </dd>
        <dt className="font-semibold">{i18n.t('The other')}</dt>
        <dd dir="auto" lang={conflict.theirs === null ? undefined : languageTag(language)}>
          {conflict.theirs ?? i18n.t('The passage no longer exists.')}
        </dd>
      </dl>
    </Banner>
  ))

/** Says that the text was corrected, and links to the original; renders nothing for an original text. */
export const Edits = ({ document, showsOriginal, show, corrections }: OpenNote) =>
  document.original && (
    <div className="print:hidden -mx-3 mt-2 flex flex-wrap">
      <Button
        size="small"
        variant="quiet"
        aria-pressed={showsOriginal}
        onClick={() => show({ showsOriginal: !showsOriginal })}
      >
        {showsOriginal ? i18n.t('Show corrections') : i18n.t('Show original')}
      </Button>
      <AskButton
        label={i18n.t('Restore original')}
        title={i18n.t('Restore the original text?')}
        confirmLabel={i18n.t('Restore it')}
        closeLabel={i18n.t('Keep my corrections')}
        danger
        onConfirm={() => {
          show({ showsOriginal: false })
          corrections.acts.restore()
        }}
      >
        {i18n.t('Your corrections will be discarded.')}
      </AskButton>
    </div>
  )
