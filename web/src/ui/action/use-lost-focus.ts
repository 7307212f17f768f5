import { useEffect, useRef } from 'react'

/** Focuses an element if nothing has the focus once the current press is over. Returns how to call that off. */
export function focusIfLost(place: HTMLElement | null | undefined, options?: FocusOptions): () => void {
  const timer = setTimeout(() => document.activeElement === document.body && place?.focus(options))
  return () => clearTimeout(timer)
}

/** Returns the ref of a focusable element that takes the focus when a change has removed what had it. */
export function useLostFocus<Place extends HTMLElement>(change: unknown) {
  const place = useRef<Place>(null)
  const before = useRef(change)
  useEffect(() => {
    if (before.current === change) return
    before.current = change
    return focusIfLost(place.current, { preventScroll: true })
  }, [change])
  return place
}
