import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'

/** What the installation says of itself: the WhatsApp number, support's address, limits. */
export const useConfig = () =>
  useQuery({
    queryKey: ['config'],
    queryFn: async ({ signal }) => (await call('config', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
