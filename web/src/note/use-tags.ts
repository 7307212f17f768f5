import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../session/client.ts'

/** The numbers of all notes of the person. */
export const statsQuery = queryOptions({
  queryKey: ['transcriptions', 'stats'],
  queryFn: async ({ signal }) => (await call('transcriptionStats', { signal })).data,
})

export const useTags = (): string[] => useQuery(statsQuery).data?.tags ?? []
