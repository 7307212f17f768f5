import { i18n } from '../../language/i18n.ts'
import { AskButton } from '../../ui/action/ask-button.tsx'
import { Button } from '../../ui/action/button.tsx'
import type { OpenNote } from '../use-open-note.ts'

/** Says that the text was corrected, and leads back to what was heard. Nothing for a text as it was heard. */
export const Edits = ({ document, showsOriginal, setShowsOriginal, corrections }: OpenNote) =>
  document.original && (
    <div className="print:hidden -mx-3 mt-2 flex flex-wrap">
      <Button
        size="small"
        variant="quiet"
        aria-pressed={showsOriginal}
        onClick={() => setShowsOriginal(!showsOriginal)}
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
          setShowsOriginal(false)
          corrections.restore()
        }}
      >
        {i18n.t('Your corrections will be discarded.')}
      </AskButton>
    </div>
  )
