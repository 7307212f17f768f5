import { ARCHIVE_MAX } from '@voxscribe/contracts/limits'
import { i18n } from '../language/i18n.ts'
import { changeOf, makeChange, reportFailures, useDeleteNotes } from '../note/deletions.ts'
import { FormatEntries, saveExport } from '../note/exports.tsx'
import { NOTES } from '../note/use-transcript.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { Button } from '../ui/action/button.tsx'
import { Menu } from '../ui/action/menu.tsx'
import { useLostFocus } from '../ui/action/use-lost-focus.ts'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { figure } from '../ui/figures.ts'
import { Tick } from '../ui/form/tick.tsx'
import type { useChoice } from './use-choice.ts'

async function transcribeAgain(ids: string[]) {
  const change = changeOf(ids)
  try {
    await makeChange('refresh', change)
  } finally {
    const { size: count } = change.done
    const words = i18n.t(
      '{count, plural, one {# note being transcribed again.} other {# notes being transcribed again.}}',
      { count },
    )
    if (count) toast(words, { type: 'success' })
    reportFailures(change)
  }
}

interface ChosenNotesProps {
  choice: ReturnType<typeof useChoice>
  /** Notes that are found, on all pages. */
  total: number
  /** Called when the line with the focus goes. */
  onGone(): void
}

/** The line above the list: chooses notes, and acts on those that are chosen. */
export function ChosenNotes({ choice, total, onGone }: ChosenNotesProps) {
  const ids = [...choice.notes.keys()]
  const line = useLostFocus<HTMLElement>(ids.length)
  return (
    <section
      ref={line}
      tabIndex={-1}
      aria-label={i18n.t('Selected notes')}
      className="sticky top-16 z-20 -mx-1 flex flex-wrap items-center rounded-card border border-line bg-surface px-1 shadow-sheet focus:outline-none"
    >
      <Tick
        className="-ms-2 w-fit ps-2 pe-3 text-sm"
        aria-label={i18n.t('Select all')}
        checked={choice.isPageChosen}
        onChange={event => choice.tickPage(event.target.checked)}
      >
        <span role="status">
          {i18n.t('{count, plural, one {# selected} other {# selected}}', { count: ids.length })}
        </span>
      </Tick>
      <Actions ids={ids} choice={choice} total={total} onGone={onGone} />
    </section>
  )
}

function Actions({ ids, choice, total, onGone }: ChosenNotesProps & { ids: string[] }) {
  const deleteNotes = useDeleteNotes()
  const clear = () => {
    choice.clear()
    onGone()
  }
  const again = useAction({
    send: () => transcribeAgain(ids),
    onSuccess: clear,
    failed: i18n.t('The notes couldn’t be changed'),
    reload: NOTES,
  })
  return (
    <>
      {choice.isPageChosen && total > ids.length && ids.length < ARCHIVE_MAX && (
        <Button variant="quiet" size="small" busy={choice.isFetching} onClick={choice.chooseAll}>
          {i18n.t('Select all {count}', { count: figure(Math.min(total, ARCHIVE_MAX)) })}
        </Button>
      )}
      <Menu
        label={i18n.t('Download as ZIP')}
        button="min-h-9 px-3 text-accent text-sm hover:bg-wash"
        panel="inset-x-1 sm:inset-x-auto sm:start-0 z-30 mt-1 sm:w-56 rounded-card p-2"
        className="sm:relative"
      >
        {close => (
          <FormatEntries
            onPick={format => {
              close()
              void saveExport('exportTranscriptions', { body: { ids, format } }, i18n.t('transcripts.zip'))
            }}
          />
        )}
      </Menu>
      <AskButton
        label={i18n.t('Transcribe again')}
        title={i18n.t('{count, plural, one {Transcribe # note again?} other {Transcribe # notes again?}}', {
          count: ids.length,
        })}
        confirmLabel={i18n.t('Transcribe again')}
        onConfirm={again.run}
      >
        {i18n.t(
          'Corrections will be replaced. A note uses its minutes once, however often you transcribe it.',
        )}
      </AskButton>
      <Button
        variant="quiet"
        size="small"
        onClick={() => {
          deleteNotes([...choice.notes.values()])
          clear()
        }}
      >
        {i18n.t('Delete')}
      </Button>
      <Button variant="quiet" size="small" onClick={clear}>
        {i18n.t('Clear selection')}
      </Button>
    </>
  )
}
