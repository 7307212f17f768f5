import { useQuery } from '@tanstack/react-query'
import { call } from '../session/client.ts'

/** Fetches whether a paid plan's last payment failed, which the profile does not say. */
export const useSubscriptionStatus = (enabled: boolean) =>
  useQuery({
    queryKey: ['subscription', 'status'],
    queryFn: async ({ signal }) => (await call('subscriptionStatus', { signal })).data,
    enabled,
    refetchOnWindowFocus: 'always',
  })
