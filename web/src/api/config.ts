import { queryOptions, useQuery } from '@tanstack/react-query'
import { send } from './send.ts'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => (await send('config', { signal }, null)).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** What the installation says of itself: the WhatsApp number, support's address, limits. */
export const useConfig = () => useQuery(configQuery)
