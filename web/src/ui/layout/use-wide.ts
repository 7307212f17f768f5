import { useSyncExternalStore } from 'react'

/** Whether the window has at least this width; by default, room for a sidebar. True if the width is unknown. */
export function useWide(width = '64rem'): boolean {
  const query = window.matchMedia?.(`(min-width: ${width})`)
  return useSyncExternalStore(
    changed => {
      query?.addEventListener('change', changed)
      return () => query?.removeEventListener('change', changed)
    },
    () => query?.matches ?? true,
  )
}
