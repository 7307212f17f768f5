import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { HISTORY_PAGE_SIZE } from '@voxscribe/contracts/business'
import { call } from '../session/client.ts'

export const useSubscriptionDetails = () =>
  useQuery({
    queryKey: ['subscription', 'details'],
    queryFn: async ({ signal }) => (await call('subscriptionDetails', { signal })).data,
    refetchOnWindowFocus: 'always',
  })

/** The ledger of minutes, newest first. */
export const useMinutesLedger = (page: number) =>
  useQuery({
    queryKey: ['subscription', 'usage', page],
    queryFn: async ({ signal }) =>
      (await call('usage', { query: { page, limit: HISTORY_PAGE_SIZE }, signal })).data,
    placeholderData: keepPreviousData,
  })
