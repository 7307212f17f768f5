import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'

/** Countries with their phone codes; they do not change while the app is open. */
export const useCountries = () =>
  useQuery({
    queryKey: ['countries'],
    queryFn: async ({ signal }) => (await call('countries', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
