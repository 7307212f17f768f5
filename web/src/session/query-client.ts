import { type Mutation, onlineManager, type Query, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/errors.ts'
import { getSession, subscribeToSession } from './session.ts'

/** Whether a retry may work: there was no response, or the server is down for a moment. */
const isRetryable = (error: Error) =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 502

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isRetryable(error),
      retryDelay: failures => 500 * 2 ** failures,
      staleTime: 10_000,
      // Requests fail at once when offline, instead of waiting silently.
      networkMode: 'always',
      // `networkMode: 'always'` would turn it off.
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

// The library learns only of changes, not of the state at the start.
onlineManager.setOnline(navigator.onLine)

let person = getSession().user?.id

/** Clears a user's data at sign-out; unsent changes stay until another user signs in. */
subscribeToSession(() => {
  const next = getSession().user?.id
  if (person && person !== next) queryClient.getQueryCache().clear()
  if (next && person && person !== next) queryClient.getMutationCache().clear()
  person = next ?? person
})

/** Makes the browser ask before it closes a page with unsaved changes or files. */
window.addEventListener('beforeunload', event => {
  const isUnsaved = ({ meta, state }: Mutation) =>
    (meta?.isUnsaved as undefined | ((state: unknown) => boolean))?.(state) ?? false
  const isKept = ({ meta, state }: Query) => meta?.isUnsaved === true && Boolean(state.data)
  const changes = queryClient.getMutationCache().findAll({ predicate: isUnsaved })
  const files = queryClient.getQueryCache().findAll({ predicate: isKept })
  if (changes.length || files.length) event.preventDefault()
})
