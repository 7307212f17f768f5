import type { TranscriptionStatus } from '@voxscribe/contracts/http'
import type { z } from 'zod'

export const filters = ['all', 'completed', 'processing', 'failed'] as const
export type Filter = 'all' | z.infer<typeof TranscriptionStatus>

/** The view of the history. It is in the address, so Back and other tabs find it. */
export interface HistoryView {
  search: string
  status: Filter
  page: number
}

/** Reads the view from the address; senseless values are ignored. */
export function viewIn(address: URLSearchParams): HistoryView {
  const status = filters.find(filter => filter === address.get('status')) ?? 'all'
  const page = Number(address.get('page'))
  return {
    search: (address.get('search') ?? '').slice(0, 200),
    status,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

/** The shortest address of a view: the first page, all and no search need no word. */
export function addressOf({ search, status, page }: HistoryView): URLSearchParams {
  return new URLSearchParams({
    ...(search && { search }),
    ...(status !== 'all' && { status }),
    ...(page > 1 && { page: String(page) }),
  })
}
