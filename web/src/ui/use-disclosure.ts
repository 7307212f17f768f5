import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'

/**
 * A button that opens something. Escape closes it and goes back to the button; a press elsewhere and a change of page
 * close it, too.
 */
export function useDisclosure(box: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new place is the reason
  useEffect(() => setOpen(false), [key])
  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    const onAnything = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false)
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('keydown', onKey, { signal })
    document.addEventListener('pointerdown', onAnything, { signal })
    document.addEventListener('focusin', onAnything, { signal })
    return () => listening.abort()
  }, [open, box])
  return { open, button, toggle: () => setOpen(!open), close: () => setOpen(false) }
}
