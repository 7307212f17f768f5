import { type QueryFilters, useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from './error-message.ts'
import { toast } from './toast.ts'

interface Action<Data> {
  send(): Promise<Data>
  onSuccess?(data: Data): void
  /** For a failure without a message. */
  failed: string
  /** The queries that are loaded again, also after a failure. */
  reload: QueryFilters
}

/** One call that a button makes; a failure is shown as a toast. Its `run` does not reject. */
export function useAction<Data>({ send, onSuccess, failed, reload }: Action<Data>) {
  const queries = useQueryClient()
  const { isPending, mutateAsync } = useMutation({
    mutationFn: send,
    onSuccess,
    onError: error => toast(messageOf(error, failed), { type: 'error' }),
    onSettled: () => queries.invalidateQueries(reload),
  })
  return { isPending, run: () => mutateAsync().catch(() => {}) }
}
