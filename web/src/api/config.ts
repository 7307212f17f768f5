import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => (await call('config', { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** What the installation says of itself: the WhatsApp number, support's address, limits. */
export const useConfig = () => useQuery(configQuery)
