import { textInParagraphs } from '@voxscribe/contracts/paragraphs'
import { speakerNames } from '@voxscribe/contracts/wording'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { i18n } from '../../language/i18n.ts'
import { ShareWithApps } from '../../note/exports.tsx'
import { RemoveSample } from '../../note/remove-sample.tsx'
import { Button } from '../../ui/action/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Conflicts, SaveState } from '../correct/save-state.tsx'
import { TranslationChoice } from '../derived/translation-choice.tsx'
import { PlayerBar } from '../player/player-bar.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { MoreMenu } from './more-menu.tsx'
import { QuoteRow } from './quote-row.tsx'
import { SearchRow } from './search-row.tsx'
import { ShareLink } from './share-link.tsx'

/** Player and actions: at the bottom on a phone, within reach of the thumb, and at the top elsewhere. */
export function Dock(note: OpenNote) {
  const { document, player, onStale, corrections } = note
  const { status, partial } = document
  const navigate = useNavigate()
  return (
    <div className="print:hidden fixed low:relative inset-x-0 low:inset-auto bottom-0 z-20 flex flex-col-reverse border-line border-t bg-surface px-3 py-1.5 shadow-sheet sm:sticky sm:top-18 sm:bottom-auto sm:mt-2 sm:flex-col sm:rounded-card sm:border">
      <div
        className={classes(
          'flex gap-x-4 lg:flex-row lg:items-center',
          // Without a text there is only the menu, which is beside the player.
          note.hasText ? 'flex-col-reverse sm:flex-col sm:gap-y-1.5' : 'items-center *:first:grow',
        )}
      >
        {player && (
          <PlayerBar
            player={player}
            levels={document.levels}
            heard={status === 'processing' ? (partial?.seconds ?? 0) : undefined}
            onStale={onStale}
          />
        )}
        <div className="flex min-h-11 flex-wrap items-center gap-1.5 max-[22.5rem]:[&>button]:px-2 sm:gap-2">
          {note.hasText && !note.isCorrecting && <Copy {...note} />}
          {document.sample ? (
            <RemoveSample
              id={document.id}
              onRemoved={() => navigate('/transcription-history', { replace: true })}
            />
          ) : (
            <>
              {(note.hasText || note.isCorrecting) && <Correct {...note} />}
              {note.hasText && !note.isCorrecting && <Share {...note} />}
              {!note.isCorrecting && <MoreMenu {...note} />}
            </>
          )}
          <SaveState {...corrections} />
        </div>
      </div>
      {note.isSearching && <SearchRow {...note} />}
      <QuoteRow {...note} />
      {note.isTranslating && <TranslationChoice {...note} />}
      {note.isSharing && <ShareLink {...note} />}
      <div className="max-h-[50dvh] overflow-y-auto empty:hidden">
        <Conflicts {...corrections} language={document.language} />
      </div>
    </div>
  )
}

/** Turns correcting on and off by the same button, so that it keeps the focus. */
const Correct = ({ isCorrecting, show, showsOriginal, corrections: { undo } }: OpenNote) => (
  <>
    <Button
      size="small"
      variant={isCorrecting ? 'primary' : 'secondary'}
      disabled={showsOriginal}
      aria-label={isCorrecting ? undefined : i18n.t('Correct the text')}
      onClick={() => show({ isCorrecting: !isCorrecting })}
    >
      {isCorrecting ? i18n.t('Done') : i18n.t('Correct')}
    </Button>
    {isCorrecting && undo && (
      <Button size="small" variant="secondary" onClick={undo}>
        {i18n.t('Undo')}
      </Button>
    )}
  </>
)

function useCopied({ document: { segments, language, speakers } }: OpenNote): string {
  return useMemo(
    () => textInParagraphs(segments, language, '', speakerNames(i18n, speakers)),
    [segments, language, speakers],
  )
}

const Copy = (note: OpenNote) => <CopyButton text={useCopied(note)} label={i18n.t('Copy')} />

/** Shares the text through the system's share sheet, or by a link if there is none. */
function Share(note: OpenNote) {
  const text = useCopied(note)
  return 'share' in navigator ? (
    <ShareWithApps title={note.document.title} text={text} />
  ) : (
    <Button size="small" variant="secondary" onClick={() => note.show({ isSharing: true })}>
      {i18n.t('Share')}
    </Button>
  )
}
