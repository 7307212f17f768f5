import { useEffect, useRef } from 'react'

/** Returns the ref of a focusable element that takes the focus when a change has removed what had it. */
export function useLostFocus<Place extends HTMLElement>(change: unknown) {
  const place = useRef<Place>(null)
  const before = useRef(change)
  useEffect(() => {
    if (before.current === change) return
    before.current = change
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [change])
  return place
}
