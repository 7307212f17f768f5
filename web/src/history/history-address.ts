import { NOTE_SOURCES } from '@voxscribe/contracts/business'
import type { TranscriptionStatus } from '@voxscribe/contracts/http'
import { isLanguage } from '@voxscribe/contracts/languages'
import type { z } from 'zod'

export const STATUSES = ['all', 'completed', 'processing', 'failed'] as const
export type Status = 'all' | z.infer<typeof TranscriptionStatus>

type Source = (typeof NOTE_SOURCES)[number]

/** The filters of a list; an empty one does not count. */
export interface Wanted {
  search: string
  status: Status
  language: string
  source: Source | ''
  /** Days in the person's time zone, `2026-11-20`, both included. */
  from: string
  to: string
}

/** The view of the history. It is in the address, so Back and other tabs find it. */
export interface HistoryView extends Wanted {
  page: number
}

export const ALL: Wanted = { search: '', status: 'all', language: '', source: '', from: '', to: '' }

/** The filters that are folded away. */
export const MORE = ['language', 'source', 'from', 'to'] as const

export const isAll = (view: Wanted) => sameWanted(view, ALL)

export const sameWanted = (one: Wanted, other: Wanted) =>
  (Object.keys(ALL) as (keyof Wanted)[]).every(name => one[name] === other[name])

export const sourceIn = (value: string | null) => NOTE_SOURCES.find(source => source === value) ?? ''

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text)

/** Reads the view from the address; invalid values are ignored. */
export function viewIn(address: URLSearchParams): HistoryView {
  const read = (name: string, makesSense: (value: string) => boolean | undefined) => {
    const value = address.get(name) ?? ''
    return makesSense(value) ? value : ''
  }
  const page = Number(address.get('page'))
  const from = read('from', isDay)
  return {
    search: (address.get('search') ?? '').slice(0, 200),
    status: STATUSES.find(status => status === address.get('status')) ?? 'all',
    language: read('language', isLanguage),
    source: sourceIn(address.get('source')),
    from,
    to: read('to', value => isDay(value) && value >= from),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

/** Returns the shortest address of a view: defaults and the first page are left out. */
export function addressOf(view: HistoryView): URLSearchParams {
  const words = { ...view, status: view.status === 'all' ? '' : view.status }
  const said = Object.entries(words).filter(([name, value]) => (name === 'page' ? view.page > 1 : value))
  return new URLSearchParams(said.map(([name, value]) => [name, String(value)]))
}

/** Returns the view as a request to the server: days are whole days in the person's time zone. */
export function queryOf({ search, status, language, source, from, to, page }: HistoryView) {
  return {
    page,
    ...(status !== 'all' && { status }),
    ...(search && { search }),
    ...(language && { language }),
    ...(source && { source }),
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  }
}
