import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect, useRef } from 'react'
import { type DataRouter, RouterProvider } from 'react-router-dom'
import { getSession, subscribeToSession } from '../session/store.ts'
import { Toaster } from '../ui/toaster.tsx'

interface AppProps {
  router: DataRouter
  queryClient: QueryClient
}

/** The whole application. The browser gives it the address bar's router, a test one of its own. */
export function App({ router, queryClient }: AppProps) {
  useForgetOfOthers(queryClient)
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toaster />
      </QueryClientProvider>
    </StrictMode>
  )
}

/** What one person has loaded is not there for the next. */
function useForgetOfOthers(queryClient: QueryClient) {
  const person = useRef(getSession().user?.id)
  useEffect(
    () =>
      subscribeToSession(() => {
        const next = getSession().user?.id
        if (person.current && person.current !== next) queryClient.clear()
        person.current = next
      }),
    [queryClient],
  )
}
