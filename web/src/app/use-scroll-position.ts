import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

const positions = new Map<string, number>()

/** Starts a new page at its top, or at the part that the address names; going back restores the scroll position. */
export function useScrollPosition() {
  const { key, pathname, hash } = useLocation()
  const how = useNavigationType()
  const before = useRef(pathname)
  useEffect(() => {
    const keep = () => positions.set(key, window.scrollY)
    window.addEventListener('scroll', keep, { passive: true })
    return () => window.removeEventListener('scroll', keep)
  }, [key])
  useLayoutEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const part = hash && document.getElementById(decodeURIComponent(hash.slice(1)))
    if (how === 'POP') window.scrollTo(0, positions.get(key) ?? 0)
    else if (part) part.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [key, pathname, hash, how])
}
