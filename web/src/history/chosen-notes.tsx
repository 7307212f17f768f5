import type { Transcription } from '@voxscribe/contracts/http'
import { ARCHIVE_MAX, BULK_MAX, PAGE_SIZE_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { changeOf, makeChange, reportFailures, useDeletedIds, useDeleteNotes } from '../note/deletions.ts'
import { FormatEntries, ShareWithApps, saveExport } from '../note/exports.tsx'
import { NOTES } from '../note/queries.ts'
import { TagInput, tagsWith } from '../note/tag-input.tsx'
import { call } from '../session/client.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { Button } from '../ui/action/button.tsx'
import { Dialog } from '../ui/action/dialog.tsx'
import { Menu } from '../ui/action/menu.tsx'
import { useLostFocus } from '../ui/action/use-lost-focus.ts'
import { Copyable, copyText } from '../ui/feedback/copy-button.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { figure } from '../ui/figures.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { addressOf, type HistoryView, queryOf } from './history-view.ts'

const CHANGED = {
  refresh:
    /*i18n*/ '{count, plural, one {# note being transcribed again.} other {# notes being transcribed again.}}',
  tag: /*i18n*/ '{count, plural, one {# note tagged.} other {# notes tagged.}}',
}

/** Changes notes and reports how many were changed, after a failure, too. */
async function changeNotes(ids: string[], action: keyof typeof CHANGED, tags?: string[]) {
  const change = changeOf(ids)
  try {
    await makeChange({ action, tags }, change)
  } finally {
    const { size: count } = change.done
    if (count) toast(i18n.t(CHANGED[action], { count }), { type: 'success' })
    reportFailures(change)
  }
}

interface ChosenNotesProps {
  choice: ReturnType<typeof useChoice>
  total: number
  /** Called when the focused line disappears. */
  onGone(): void
}

/** The toolbar above the list, which selects notes and acts on the selected ones. */
export function ChosenNotes({ choice, total, onGone }: ChosenNotesProps) {
  const ids = [...choice.notes.keys()]
  const line = useLostFocus<HTMLElement>(ids.length)
  return (
    <section
      ref={line}
      tabIndex={-1}
      aria-label={i18n.t('Selected notes')}
      className="sticky low:static top-16 z-20 -mx-1 flex flex-wrap items-center rounded-card border border-line bg-surface px-1 shadow-sheet focus:outline-none"
    >
      <Checkbox
        className="-ms-2 w-fit ps-2 pe-3 text-sm"
        aria-label={i18n.t('Select all')}
        checked={choice.isPageChosen}
        isIndeterminate={choice.isAnyChosen && !choice.isPageChosen}
        onChange={event => choice.choosePage(event.target.checked)}
      >
        <span role="status">
          {i18n.t('{count, plural, one {# selected} other {# selected}}', { count: ids.length })}
        </span>
      </Checkbox>
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
    send: () => changeNotes(ids, 'refresh'),
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
      <TagButton ids={ids} />
      <Menu
        label={i18n.t('Download')}
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
      <ShareChosen notes={[...choice.notes.values()]} />
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
      <Button variant="quiet" size="small" onClick={clear}>
        {i18n.t('Clear selection')}
      </Button>
    </>
  )
}

function TagButton({ ids }: { ids: string[] }) {
  const [isAdding, setAdding] = useState(false)
  const button = useLostFocus<HTMLSpanElement>(isAdding)
  const tagging = useAction({
    send: (tags: string[]) => changeNotes(ids, 'tag', tags),
    failed: i18n.t('The notes couldn’t be changed'),
    reload: NOTES,
  })
  const add = (typed: string) => {
    const tags = tagsWith([], typed)
    if (!tags) return
    setAdding(false)
    if (tags.length) void tagging.run(tags)
  }
  return (
    <span ref={button} tabIndex={-1} className="focus:outline-none">
      {isAdding ? (
        <TagInput onDone={add} />
      ) : (
        <Button variant="quiet" size="small" busy={tagging.isPending} onClick={() => setAdding(true)}>
          {i18n.t('Tag')}
        </Button>
      )}
    </span>
  )
}

/** Shares the chosen texts with another app; if the system has no share sheet, creates links and copies them. */
function ShareChosen({ notes }: { notes: Chosen[] }) {
  const [made, setMade] = useState<{ links: string[]; isCopied: boolean }>()
  const shared = notes.filter(({ status, text }) => status === 'completed' && text)
  const making = useAction({
    async send() {
      const links: string[] = []
      for (const { id } of shared) links.push(await linkTo(id))
      setMade({ links, isCopied: await copyText(links.join('\n')) })
    },
    failed: i18n.t('The link couldn’t be changed'),
  })
  if (!shared.length || shared.length > BULK_MAX) return null
  if ('share' in navigator)
    return <ShareWithApps variant="quiet" text={shared.map(({ text }) => text).join('\n\n')} />
  return (
    <>
      <Button variant="quiet" size="small" busy={making.isPending} onClick={() => making.run()}>
        {i18n.t('Share')}
      </Button>
      {made && (
        <Dialog
          title={i18n.t('Share a link')}
          closeLabel={i18n.t('Close|dialog')}
          onClose={() => setMade(undefined)}
        >
          <div className="grid justify-items-start gap-3">
            <Copyable text={made.links.join('\n')} label={i18n.t('Copy')} copied={made.isCopied} />
          </div>
        </Dialog>
      )}
    </>
  )
}

/** Returns the note's link, or creates one for a week. */
async function linkTo(id: string): Promise<string> {
  const { share } = (await call('transcription', { params: { id } })).data.transcription
  if (share) return share.url
  return (await call('shareTranscription', { params: { id }, body: { days: 7 } })).data.url
}

/** A chosen note, with the fields that the actions need. */
type Chosen = Pick<Transcription, 'id' | 'status' | 'text'>

/** Returns all notes of the view, on whichever page: the newest `ARCHIVE_MAX`. */
async function notesOf(view: HistoryView): Promise<Chosen[]> {
  const notes: Chosen[] = []
  for (let page = 1; notes.length < ARCHIVE_MAX; page++) {
    const query = { ...queryOf({ ...view, page }), limit: PAGE_SIZE_MAX }
    const { transcriptions } = (await call('transcriptions', { query })).data
    notes.push(...transcriptions.filter(({ sample }) => !sample))
    if (transcriptions.length < PAGE_SIZE_MAX) break
  }
  return notes
}

/** The chosen notes. The choice survives a change of page, and ends with another search or filter. */
export function useChoice(onPage: Chosen[], view: HistoryView) {
  const found = `${addressOf(view)}`
  const [chosen, setChosen] = useState({ found, notes: [] as Chosen[], last: '' })
  // The text of a note in view may have changed since it was chosen.
  const onPageById = new Map(onPage.map(note => [note.id, note]))
  const notes = new Map(
    (chosen.found === found ? chosen.notes : []).map(note => [note.id, onPageById.get(note.id) ?? note]),
  )
  const deleted = useDeletedIds()
  const choose = (next: Chosen[], last = '') =>
    setChosen({ found, notes: next.map(({ id, status, text }) => ({ id, status, text })), last })
  const all = useAction({
    send: () => notesOf(view),
    // The server still has notes whose deletion can be undone.
    onSuccess: next => choose(next.filter(({ id }) => !deleted.has(id))),
    failed: i18n.t('Failed to fetch transcriptions'),
  })
  const changeChoice = (changed: Chosen[], isChosen: boolean, last?: string) => {
    const ids = new Set(changed.map(({ id }) => id))
    const others = [...notes.values()].filter(({ id }) => !ids.has(id))
    choose(isChosen ? [...others, ...changed] : others, last)
  }
  return {
    notes,
    isAnyChosen: onPage.some(({ id }) => notes.has(id)),
    isPageChosen: onPage.length > 0 && onPage.every(({ id }) => notes.has(id)),
    choosePage: (isChosen: boolean) => changeChoice(onPage, isChosen),
    /** Chooses a note or drops it; a range includes every note from the last toggled one on. */
    toggleNote(id: string, isRange: boolean) {
      const indexOf = (wanted: string) => onPage.findIndex(note => note.id === wanted)
      const at = indexOf(id)
      const last = isRange ? indexOf(chosen.last) : at
      const begin = last < 0 ? at : Math.min(last, at)
      changeChoice(onPage.slice(begin, Math.max(last, at) + 1), !notes.has(id), id)
    },
    chooseAll: all.run,
    isFetching: all.isPending,
    clear: () => choose([]),
  }
}
