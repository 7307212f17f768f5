import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/errors.ts'
import { getSession, subscribeToSession } from '../session/store.ts'

/** Retries only what may work the second time: no answer, or a server that is down for a moment. */
const mayWorkLater = (error: Error) =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 502

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && mayWorkLater(error),
      retryDelay: failures => 500 * 2 ** failures,
      staleTime: 10_000,
      // A request that can't reach the server says so at once, instead of waiting in silence.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

let person = getSession().user?.id

/** Clears one person's data before the next person's. */
subscribeToSession(() => {
  const next = getSession().user?.id
  if (person && person !== next) queryClient.clear()
  person = next
})
