import { useSyncExternalStore } from 'react'

function subscribe(changed: () => void) {
  const listening = new AbortController()
  for (const type of ['online', 'offline'])
    window.addEventListener(type, changed, { signal: listening.signal })
  return () => listening.abort()
}

/** Without a network, pages show the service worker's last answers. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (isOnline) return null
  return (
    <p role="status" className="bg-warn-wash px-5 py-1.5 text-center text-sm text-warn">
      You’re offline. Pages show what was read last.
    </p>
  )
}
