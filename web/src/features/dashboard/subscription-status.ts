import { useQuery } from '@tanstack/react-query'
import { call } from '../../session/client.ts'

/** What the profile does not tell of a paid plan: whether its last payment failed. */
export const useSubscriptionStatus = (enabled: boolean) =>
  useQuery({
    queryKey: ['subscription', 'status'],
    queryFn: async ({ signal }) => (await call('subscriptionStatus', { signal })).data,
    enabled,
    refetchOnWindowFocus: 'always',
  })
