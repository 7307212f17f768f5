import { queryOptions, useQuery } from '@tanstack/react-query'
import { send } from './send.ts'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => (await send('config', { signal }, null)).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The installation's public settings: WhatsApp number, support address, limits. */
export const useConfig = () => useQuery(configQuery)
