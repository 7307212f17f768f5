import { queryOptions, useQuery } from '@tanstack/react-query'
import { send } from './send.ts'

/** Public data that stays the same while the app is open. */
const staticQuery = <K extends 'config' | 'countries' | 'languages'>(key: K) =>
  queryOptions({
    queryKey: [key],
    queryFn: async ({ signal }) => (await send(key, { signal }, null)).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const configQuery = staticQuery('config')

/** The installation's public settings: WhatsApp number, support address, limits. */
export const useConfig = () => useQuery(configQuery)
export const useCountries = () => useQuery(staticQuery('countries'))
export const useLanguages = () => useQuery(staticQuery('languages'))
