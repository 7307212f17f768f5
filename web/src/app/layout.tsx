import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigate, useNavigation } from 'react-router-dom'
import { onSessionExpired } from '../session/store.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** Header, page, footer. */
export function Layout() {
  const main = useRef<HTMLElement>(null)
  const { pathname, hash } = useLocation()
  const loading = useNavigation().state !== 'idle'
  useFocusOnNewPage(main, pathname, hash)
  useSignInWhenExpired()
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header />
      {loading && (
        <div role="progressbar" aria-label="Loading..." className="fixed inset-x-0 top-0 z-50 h-0.5">
          <div className="h-full w-1/3 animate-pulse bg-accent" />
        </div>
      )}
      <main id="content" ref={main} tabIndex={-1} className="min-h-[70vh] pt-16">
        <Outlet />
      </main>
      <Footer />
      <ScrollRestoration />
    </>
  )
}

/** After a change of page the focus goes to its heading (or the part the address names), as after a page load. */
function useFocusOnNewPage(main: { current: HTMLElement | null }, pathname: string, hash: string) {
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const part = hash && document.getElementById(decodeURIComponent(hash.slice(1)))
    const target = part || main.current?.querySelector('h1') || main.current
    target?.focus({ preventScroll: true })
  }, [pathname, hash, main])
}

function useSignInWhenExpired() {
  const navigate = useNavigate()
  const location = useLocation()
  useEffect(
    () => onSessionExpired(() => navigate('/signin', { state: { from: location } })),
    [navigate, location],
  )
}
