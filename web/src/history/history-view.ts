import { NOTE_SOURCES } from '@voxscribe/contracts/channels'
import { isLanguage } from '@voxscribe/contracts/languages'
import { QUESTION_MAX, SEARCH_MAX } from '@voxscribe/contracts/limits'
import { isTag, tagIn } from '@voxscribe/contracts/tags'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { z } from 'zod'

export const STATUSES = ['all', 'completed', 'processing', 'failed'] as const

/** The filters that can be folded away. Days are in the person's time zone, such as `2026-11-20`, and inclusive. */
export const MORE = ['language', 'source', 'tag', 'from', 'to'] as const

/** The filters of a list as typed; an empty one is ignored. */
export type Filter = Record<'search' | 'status' | (typeof MORE)[number], string>

export const ALL: Filter = { search: '', status: 'all', language: '', source: '', tag: '', from: '', to: '' }

/** The view of the history, kept in the address for Back and other tabs. Invalid values are ignored. */
const HistoryView = z
  .object({
    search: z
      .string()
      .catch('')
      .transform(search => search.slice(0, QUESTION_MAX)),
    status: z.enum(STATUSES).catch('all'),
    language: z.string().refine(isLanguage).catch(''),
    source: z.enum(['', ...NOTE_SOURCES]).catch(''),
    tag: z.string().overwrite(tagIn).refine(isTag).catch(''),
    from: z.iso.date().catch(''),
    to: z.iso.date().catch(''),
    page: z.coerce.number().int().positive().catch(1),
  })
  .transform(view => (view.to < view.from ? { ...view, to: '' } : view))
export type HistoryView = z.infer<typeof HistoryView>

export const viewIn = (address: URLSearchParams) => HistoryView.parse(Object.fromEntries(address))

/** Returns the shortest address of a view, without defaults and the first page. */
export function addressOf(wanted: Filter, page = 1): URLSearchParams {
  const names = (Object.keys(ALL) as (keyof Filter)[]).filter(name => wanted[name] !== ALL[name])
  const address = new URLSearchParams(names.map(name => [name, wanted[name]]))
  if (page > 1) address.set('page', String(page))
  return address
}

const isSameQuery = (one: Filter, other: Filter) => `${addressOf(one)}` === `${addressOf(other)}`

export const isUnfiltered = (wanted: Filter) => isSameQuery(wanted, ALL)

/** Returns the query for the server. Days are whole days in the person's time zone; a long question is cut. */
export const queryOf = ({ search, status, language, source, tag, from, to, page }: HistoryView) => ({
  page,
  ...(status !== 'all' && { status }),
  ...(search && { search: search.slice(0, SEARCH_MAX) }),
  ...(language && { language }),
  ...(source && { source }),
  ...(tag && { tag }),
  ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
  ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
})

/** Milliseconds of pause before a new search or filter applies. */
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
    if (isSameQuery(next, view) || isRangeReversed(next)) return
    const timer = setTimeout(() => {
      setDraft({ at: `${addressOf(next)}`, wanted })
      // Back skips intermediate search words, but not a filter.
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

/** Whether the days are reversed. Such a range is reported next to the field and not sent to the server. */
export const isRangeReversed = ({ from, to }: Filter) => Boolean(from && to && to < from)
