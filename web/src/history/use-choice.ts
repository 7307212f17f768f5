import type { Transcription } from '@voxscribe/contracts/http'
import { ARCHIVE_MAX, PAGE_SIZE_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { useDeletedIds } from '../note/deletions.ts'
import { call } from '../session/client.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { addressOf, type HistoryView, queryOf } from './history-address.ts'

/** A chosen note, with what is done to it. */
export type Chosen = Pick<Transcription, 'id' | 'status' | 'text'>

/** All notes that the view finds, on whichever page: the newest `ARCHIVE_MAX`. */
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

/** The chosen notes. The choice stays from page to page, and ends with another search or filter. */
export function useChoice(onPage: Chosen[], view: HistoryView) {
  const found = `${addressOf(view)}`
  const [chosen, setChosen] = useState({ found, notes: [] as Chosen[], last: '' })
  const notes = new Map((chosen.found === found ? chosen.notes : []).map(note => [note.id, note]))
  const deleted = useDeletedIds()
  const choose = (next: Chosen[], last = '') =>
    setChosen({ found, notes: next.map(({ id, status, text }) => ({ id, status, text })), last })
  const all = useAction({
    send: () => notesOf(view),
    // The server has the notes still whose deletion can be undone.
    onSuccess: next => choose(next.filter(({ id }) => !deleted.has(id))),
    failed: i18n.t('Failed to fetch transcriptions'),
  })
  /** Adds notes to the choice, or removes them. */
  const changeChoice = (changed: Chosen[], isChosen: boolean, last?: string) => {
    const ids = new Set(changed.map(({ id }) => id))
    const others = [...notes.values()].filter(({ id }) => !ids.has(id))
    choose(isChosen ? [...others, ...changed] : others, last)
  }
  return {
    notes,
    isSome: onPage.some(({ id }) => notes.has(id)),
    isPageChosen: onPage.length > 0 && onPage.every(({ id }) => notes.has(id)),
    choosePage: (isChosen: boolean) => changeChoice(onPage, isChosen),
    /** Chooses a note or drops it; a range with all from the last one on. */
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
