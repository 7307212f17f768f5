import { useQuery } from '@tanstack/react-query'
import { call } from '../session/client.ts'

/** The languages a transcript may be expected in; they do not change while the app is open. */
export const useLanguages = () =>
  useQuery({
    queryKey: ['languages'],
    queryFn: async ({ signal }) => (await call('languages', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
