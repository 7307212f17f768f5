import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HookDelivery } from '@voxscribe/contracts/http'
import { call } from '../session/client.ts'
import { messageOf } from '../ui/error-message.ts'
import { toast } from '../ui/toast.ts'

const HOOKS = { queryKey: ['hooks'] }
/** Milliseconds between two looks at a delivery that is being tried. */
const LOOK_MS = 2_000
/** Milliseconds before its next try from which a delivery is looked at. */
const SOON_MS = 10_000

export const useHooks = () =>
  useQuery({ ...HOOKS, queryFn: async ({ signal }) => (await call('hooks', { signal })).data.hooks })

const isSoon = ({ status, nextTryAt }: HookDelivery) =>
  status === 'waiting' && Date.parse(nextTryAt ?? '') - Date.now() < SOON_MS

/** The newest messages to a hook, which are asked for again while one of them is being tried. */
export const useDeliveries = (id: string) =>
  useQuery({
    queryKey: ['hooks', id, 'deliveries'],
    queryFn: async ({ signal }) => (await call('hookDeliveries', { params: { id }, signal })).data.deliveries,
    refetchInterval: ({ state }) => state.data?.some(isSoon) && LOOK_MS,
  })

/** Loads hooks and deliveries again. */
export function useReload() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries(HOOKS)
}

interface Action<Data> {
  send(): Promise<Data>
  onSuccess?(data: Data): void
  /** For a failure without a message. */
  failed: string
}

/** Something that one button does. Its `run` does not reject. */
export function useAction<Data>({ send, onSuccess, failed }: Action<Data>) {
  const action = useMutation({
    mutationFn: send,
    onSuccess,
    onError: error => toast(messageOf(error, failed), { type: 'error' }),
    onSettled: useReload(),
  })
  return {
    isPending: action.isPending,
    run: () =>
      action.mutateAsync().then(
        () => {},
        () => {},
      ),
  }
}
