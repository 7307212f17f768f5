import { useSyncExternalStore } from 'react'

/** Whether the window is at least so wide, by default that a page has room for a rail; true where that is not known. */
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
