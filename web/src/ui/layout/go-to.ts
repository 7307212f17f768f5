import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

/** Scrolls an element to the middle of the window: smoothly, unless the person prefers reduced motion. */
export function goTo(element: HTMLElement | null): void {
  const isStill = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches
  // An explicit behavior overrides the style sheet's rule for reduced motion.
  element?.scrollIntoView?.({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
}

/** Scrolls to the fragment in the address: when the browser and the router looked for it, it wasn't rendered yet. */
export function useHash() {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [hash])
}
