import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Outlet } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { queryClient } from '../session/query-client.ts'

/** Wraps the screens that fetch data; the others load without the query library. */
export default function WithQueries() {
  const isOnline = useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline())
  return (
    <QueryClientProvider client={queryClient}>
      {!isOnline && (
        <p role="status" className="bg-warn-wash px-5 py-1.5 text-center text-sm text-warn">
          {i18n.t('You’re offline. Pages show what was read last.')}
        </p>
      )}
      <Outlet />
    </QueryClientProvider>
  )
}
