import { useEffect, useRef } from 'react'

/** Focuses an element if nothing has the focus after the current press. Returns a function that cancels this. */
export function focusIfLost(place: HTMLElement | null | undefined, options?: FocusOptions): () => void {
  const timer = setTimeout(() => document.activeElement === document.body && place?.focus(options))
  return () => clearTimeout(timer)
}

/** Returns the ref of a focusable element that takes the focus when a change has removed the focused element. */
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
