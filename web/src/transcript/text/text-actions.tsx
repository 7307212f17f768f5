import { AskButton } from '../../ui/ask-button.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Conflicts } from '../correct/conflicts.tsx'
import { SaveState } from '../correct/save-state.tsx'
import type { Corrections } from '../correct/use-corrections.ts'
import { FollowButton, type Following } from '../player/following.tsx'

/** Over the text: on a phone above the player, elsewhere below it. */
const IN_SIGHT =
  'fixed inset-x-0 bottom-31 z-10 max-h-[50dvh] overflow-y-auto border-line border-t bg-surface px-5 py-2 ' +
  'sm:sticky sm:inset-x-auto sm:bottom-auto sm:my-3 sm:rounded-control sm:border sm:px-3 sm:shadow-sheet'

interface TextActionsProps {
  corrections: Corrections
  following: Following
  hasPlayer: boolean
  hasOriginal: boolean
  mode: Mode
  onMode(mode: Mode): void
}
export type Mode = 'reading' | 'correcting' | 'original'

/** The text's buttons, and whether it is saved; kept in sight while something is being corrected. */
export function TextActions({
  corrections,
  following,
  hasPlayer,
  hasOriginal,
  mode,
  onMode,
}: TextActionsProps) {
  const { saving, conflicts, retry, canUndo, undo, restore } = corrections
  const isCorrecting = mode === 'correcting'
  const showsOriginal = mode === 'original'
  const staysInSight = isCorrecting || conflicts.length > 0 || typeof saving === 'object'
  return (
    <div className={staysInSight ? classes(IN_SIGHT, hasPlayer ? 'sm:top-52' : 'sm:top-20') : 'my-3'}>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          variant="secondary"
          aria-pressed={isCorrecting}
          disabled={showsOriginal}
          onClick={() => onMode(isCorrecting ? 'reading' : 'correcting')}
        >
          {isCorrecting ? 'Done' : 'Correct the text'}
        </Button>
        {canUndo && (
          <Button size="small" variant="secondary" onClick={undo}>
            Undo
          </Button>
        )}
        {hasPlayer && !isCorrecting && <FollowButton {...following} />}
        {hasOriginal && !isCorrecting && (
          <>
            <Button
              size="small"
              variant="secondary"
              aria-pressed={showsOriginal}
              onClick={() => onMode(showsOriginal ? 'reading' : 'original')}
            >
              {showsOriginal ? 'Show corrections' : 'Show original'}
            </Button>
            <AskButton
              label="Restore original"
              title="Restore the original text?"
              confirmLabel="Restore it"
              closeLabel="Keep my corrections"
              danger
              onConfirm={() => {
                onMode('reading')
                restore()
              }}
            >
              Your corrections will be discarded.
            </AskButton>
          </>
        )}
        <SaveState saving={saving} onRetry={retry} />
      </div>
      <Conflicts {...corrections} />
    </div>
  )
}
