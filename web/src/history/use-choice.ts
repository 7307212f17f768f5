import { ARCHIVE_MAX, PAGE_SIZE_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { addressOf, type HistoryView, queryOf } from './history-address.ts'

/** Ids of all notes that the view finds, on whichever page: the newest `ARCHIVE_MAX`. */
async function idsOf(view: HistoryView): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ids.length < ARCHIVE_MAX; page++) {
    const query = { ...queryOf({ ...view, page }), limit: PAGE_SIZE_MAX }
    const { transcriptions } = (await call('transcriptions', { query })).data
    ids.push(...transcriptions.map(({ id }) => id))
    if (transcriptions.length < PAGE_SIZE_MAX) break
  }
  return ids
}

/** The chosen notes. The choice stays from page to page, and ends with another search or filter. */
export function useChoice(onPage: string[], view: HistoryView) {
  const found = `${addressOf(view)}`
  const [chosen, setChosen] = useState({ found, ids: [] as string[], last: '' })
  const ids = new Set(chosen.found === found ? chosen.ids : [])
  const choose = (next: Iterable<string>, last = '') => setChosen({ found, ids: [...next], last })
  const all = useAction({
    send: () => idsOf(view),
    onSuccess: choose,
    failed: i18n.t('Failed to fetch transcriptions'),
  })
  return {
    ids,
    isPageChosen: onPage.length > 0 && onPage.every(id => ids.has(id)),
    tickPage: (isChosen: boolean) =>
      choose(isChosen ? ids.union(new Set(onPage)) : ids.difference(new Set(onPage))),
    /** Chooses a note or drops it; a range with all from the last one on. */
    tick(id: string, isRange: boolean) {
      const [from, to] = [onPage.indexOf(chosen.last), onPage.indexOf(id)].toSorted((a, b) => a - b)
      const these = new Set(isRange && from !== undefined && from >= 0 ? onPage.slice(from, to! + 1) : [id])
      choose(ids.has(id) ? ids.difference(these) : ids.union(these), id)
    },
    chooseAll: all.run,
    isFetching: all.isPending,
    clear: () => choose([]),
  }
}
