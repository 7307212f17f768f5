import type { TranscriptionStatus } from '@voxscribe/contracts/http'
import type { z } from 'zod'

export const filters = ['all', 'completed', 'processing', 'failed'] as const
export type Filter = 'all' | z.infer<typeof TranscriptionStatus>

/** What a person looks at: it stands in the address, so that it can be gone back to and shared between tabs. */
export interface HistoryView {
  search: string
  status: Filter
  page: number
}

/** What the address asks for; what makes no sense in it counts as not there. */
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
