import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ALL, addressOf, type Filter, isSameQuery, viewIn } from './history-address.ts'

/** Milliseconds of pause after which a new search or filter counts. */
const PAUSE = 500

const isRefined = (before: Filter, after: Filter) =>
  Boolean(before.search && after.search) && isSameQuery({ ...before, search: after.search }, after)

/** The view in the address, and the filter being typed, which goes there after a pause; other changes replace it. */
export function useHistoryView() {
  const [address, setAddress] = useSearchParams()
  const view = useMemo(() => viewIn(address), [address])
  /** The filter being typed, and the address that it belongs to. */
  const [draft, setDraft] = useState({ at: '', wanted: ALL })
  const at = `${addressOf(view)}`
  const wanted: Filter = draft.at === at ? draft.wanted : view

  useEffect(() => {
    const next = { ...wanted, search: wanted.search.trim() }
    if (isSameQuery(next, view) || endsBeforeItBegins(next)) return
    const timer = setTimeout(() => {
      setDraft({ at: `${addressOf(next)}`, wanted })
      // Back skips the words that were typed on the way, but not a filter.
      setAddress(addressOf(next), { replace: isRefined(view, next) })
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [wanted, view, setAddress])

  return {
    view,
    wanted,
    change: (part: Partial<Filter>) => setDraft({ at, wanted: { ...wanted, ...part } }),
    clear: () => {
      setDraft({ at: '', wanted: ALL })
      setAddress(new URLSearchParams())
    },
    openPage: (page: number, options?: { replace: boolean }) => setAddress(addressOf(view, page), options),
  }
}

/** Such days are reported next to the field, and not sent to the server. */
export const endsBeforeItBegins = ({ from, to }: Filter) => Boolean(from && to && to < from)
