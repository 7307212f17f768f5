import { Suspense, useEffect, useRef } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router-dom'
import { onSessionEnd } from '../session/store.ts'
import { CrashBoundary } from '../ui/crash-boundary.tsx'
import { CrashScreen } from './crash-screen.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Loading } from './loading-screen.tsx'
import { useScrollPosition } from './use-scroll-position.ts'

/** Header, page, footer. A page that crashes leaves the other two standing. */
export function Layout() {
  const main = useRef<HTMLElement>(null)
  const { pathname, hash } = useLocation()
  useScrollPosition()
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
      <main id="content" ref={main} tabIndex={-1} className="min-h-dvh pt-16">
        <CrashBoundary place={pathname} fallback={<CrashScreen />}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </CrashBoundary>
      </main>
      <Footer />
    </>
  )
}

/** After a change of page the focus goes to its heading (or the part that the address names), as after a page load. */
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
    () => onSessionEnd(why => why === 'expired' && navigate('/signin', { state: { from: location } })),
    [navigate, location],
  )
}
