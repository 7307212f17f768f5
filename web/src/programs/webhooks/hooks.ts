import { queryOptions, useQuery } from '@tanstack/react-query'
import type { HookDelivery } from '@voxscribe/contracts/http'
import { call } from '../../session/client.ts'

/** A person's hooks. */
export const hooksQuery = queryOptions({
  queryKey: ['hooks'],
  queryFn: async ({ signal }) => (await call('hooks', { signal })).data.hooks,
})
/** Polling interval while a try is due. */
const LOOK_MS = 2_000
/** Polling starts this long before a try is due. */
const SOON_MS = 10_000

const isSoon = ({ status, nextTryAt }: HookDelivery) =>
  status === 'waiting' && Date.parse(nextTryAt ?? '') - Date.now() < SOON_MS

/** The newest messages to a hook, polled while one of them is about to be tried. */
export const useDeliveries = (id: string) =>
  useQuery({
    queryKey: ['hooks', id, 'deliveries'],
    queryFn: async ({ signal }) => (await call('hookDeliveries', { params: { id }, signal })).data.deliveries,
    refetchInterval: ({ state }) => state.data?.some(isSoon) && LOOK_MS,
  })
