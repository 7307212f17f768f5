import { type RefObject, useEffect, useState } from 'react'

/** Passages further from the window than this stay plain text. */
const MARGIN = '1500px 0px'

const waiting = new WeakMap<Element, () => void>()
const observer =
  typeof IntersectionObserver === 'undefined'
    ? null
    : new IntersectionObserver(
        entries => {
          for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.()
        },
        { rootMargin: MARGIN },
      )

/** Whether an element has ever been near the window; always true in a browser without IntersectionObserver. */
export function useHasComeNear(place: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(!observer)
  useEffect(() => {
    const element = place.current
    if (isNear || !observer || !element) return
    waiting.set(element, () => setNear(true))
    observer.observe(element)
    return () => observer.unobserve(element)
  }, [isNear, place])
  return isNear
}
