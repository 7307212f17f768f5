import { paragraphsOf } from '@voxscribe/contracts/paragraphs'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Conflicts } from '../correct/conflicts.tsx'
import { SaveState } from '../correct/save-state.tsx'
import { PlayerBar } from '../player/player-bar.tsx'
import { type MenuProps, MoreMenu } from './more-menu.tsx'
import { SearchRow } from './search-row.tsx'
import { ShareButton } from './share-button.tsx'

export interface DockProps extends MenuProps {
  /** Fetches the note again: the address of its audio has expired. */
  onStale(): void
  /** Words to mark. */
  search: string
  onSearch(search: string): void
}

/** Player and actions: at the bottom of a phone, within reach of the thumb, and at the top elsewhere. */
export function Dock(props: DockProps) {
  const { document, player, onStale, corrections, view, search, onSearch } = props
  return (
    <div className="fixed inset-x-0 bottom-0 z-20 flex flex-col-reverse border-line border-t bg-surface px-3 py-1.5 shadow-sheet sm:sticky sm:top-20 sm:bottom-auto sm:mt-5 sm:flex-col sm:gap-2 sm:rounded-card sm:border sm:p-3">
      {player && <PlayerBar player={player} levels={document.levels} onStale={onStale} />}
      <div className="flex min-h-11 flex-wrap items-center gap-1.5 sm:gap-2">
        {view.isCorrecting ? <WhileCorrecting {...props} /> : <Actions {...props} />}
        <SaveState saving={corrections.saving} onRetry={corrections.retry} />
      </div>
      {view.isSearching && (
        <SearchRow
          search={search}
          onSearch={onSearch}
          onClose={() => {
            onSearch('')
            view.setSearching(false)
          }}
        />
      )}
      <div className="max-h-[50dvh] overflow-y-auto empty:hidden">
        <Conflicts {...corrections} />
      </div>
    </div>
  )
}

const WhileCorrecting = ({ corrections: { canUndo, undo }, view }: DockProps) => (
  <>
    <Button size="small" onClick={() => view.setCorrecting(false)}>
      Done
    </Button>
    {canUndo && (
      <Button size="small" variant="secondary" onClick={undo}>
        Undo
      </Button>
    )}
  </>
)

function Actions(props: DockProps) {
  const { document, view } = props
  const hasText = document.status === 'completed' && document.segments.length > 0
  const whole = paragraphsOf(document.segments, document.language)
    .map(({ text }) => text)
    .join('\n\n')
  return (
    <>
      {hasText && (
        <>
          <Button
            size="small"
            variant="secondary"
            disabled={view.showsOriginal}
            onClick={() => view.setCorrecting(true)}
          >
            Correct<span className="sr-only"> the text</span>
          </Button>
          <CopyButton text={whole} label="Copy" />
          <ShareButton title={document.title} text={whole} />
        </>
      )}
      <MoreMenu {...props} />
    </>
  )
}
