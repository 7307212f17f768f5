import { useQuery } from '@tanstack/react-query'
import { send } from '../api/send.ts'

/** Countries with their phone codes; they do not change while the app is open. */
export const useCountries = () =>
  useQuery({
    queryKey: ['countries'],
    queryFn: async ({ signal }) => (await send('countries', { signal }, null)).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
