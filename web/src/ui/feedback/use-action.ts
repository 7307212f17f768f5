import { type QueryFilters, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toastError } from './toast.ts'

interface Action<Data, Input extends unknown[]> {
  send(...input: Input): Promise<Data>
  onSuccess?(data: Data): void
  /** For a failure without a message. */
  failed: string
  /** The queries to reload, after a failure, too. */
  reload?: QueryFilters
}

/** Makes a button's call, once even on a double press; a failure becomes a toast. `run` returns whether it worked. */
export function useAction<Data, Input extends unknown[]>(action: Action<Data, Input>) {
  const { send, onSuccess, failed, reload } = action
  const queries = useQueryClient()
  const { isPending, mutateAsync } = useMutation({
    mutationFn: (input: Input) => send(...input),
    onSuccess,
    onError: error => toastError(error, failed),
    onSettled: () => reload && queries.invalidateQueries(reload),
  })
  const running = useRef<Promise<boolean>>(null)
  const run = (...input: Input): Promise<boolean> => {
    running.current ??= mutateAsync(input)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running.current = null
      })
    return running.current
  }
  return { isPending, run }
}
