import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

/** Frames after a jump within which the passages around its target are laid out and get their real heights. */
const SETTLING_FRAMES = 10

/** Scrolls an element to the middle of the window: smoothly, unless it's far or the person prefers reduced motion. */
export function goTo(element: HTMLElement | null): void {
  if (!element?.scrollIntoView) return
  // A smooth scroll would end elsewhere, because what it passes changes its height.
  const isFar = Math.abs(element.getBoundingClientRect().top) > 2 * window.innerHeight
  if (isFar || window.matchMedia?.('(prefers-reduced-motion: reduce)').matches) jumpTo(element)
  else element.scrollIntoView({ block: 'center', behavior: 'smooth' })
}

function jumpTo(element: HTMLElement, frames = SETTLING_FRAMES) {
  // An explicit behavior overrides the style sheet's rule for reduced motion.
  element.scrollIntoView({ block: 'center', behavior: 'auto' })
  if (frames > 0) requestAnimationFrame(() => jumpTo(element, frames - 1))
}

/** Scrolls to the fragment in the address: when the browser and the router looked for it, it wasn't rendered yet. */
export function useHash() {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [hash])
}
