import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

/** Brings an element to the middle of the window: gliding, unless the person has asked for less motion. */
export function goTo(element: HTMLElement | null): void {
  const isStill = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches
  // A browser takes the style sheet's word only for scrolling that names no behaviour of its own.
  element?.scrollIntoView?.({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
}

/** Goes to the part that the address names: when the browser and the router looked for it, the page was not there yet. */
export function useHash() {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [hash])
}
