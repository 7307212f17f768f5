/** Brings an element to the middle of the window: gliding, unless the person has asked for less motion. */
export function goTo(element: HTMLElement | null): void {
  const isStill = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches
  // A browser takes the style sheet's word only for scrolling that names no behaviour of its own.
  element?.scrollIntoView?.({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
}
