import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { Outlet, useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import { WithInstallation } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/session.ts'
import { useListener } from '../ui/action/use-listener.ts'
import { CrashBoundary } from '../ui/feedback/crash-boundary.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { Footer } from './footer.tsx'
import { returnState } from './guards.tsx'
import { Header } from './header.tsx'
import { CrashScreen, Loading } from './lazy-screen.tsx'
import { PaletteKey } from './palette-key.tsx'

/** Header, page, footer. If the page crashes, the other two stay. */
export function Layout() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useNewPage(main)
  useSignInWhenExpired()
  useWarningOfNothingKept()
  return (
    <WithInstallation>
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:start-3"
      >
        {i18n.t('Skip to content')}
      </a>
      <Header />
      <main id="content" ref={main} tabIndex={-1} className="print:min-h-0 min-h-dvh pt-16">
        <CrashBoundary place={pathname} fallback={<CrashScreen />}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </CrashBoundary>
      </main>
      <Footer />
      <PaletteKey />
    </WithInstallation>
  )
}

const positions = new Map<string, number>()

/** Scrolls and focuses as a page load does: to the top or the fragment. Back restores the earlier position. */
function useNewPage(main: { current: HTMLElement | null }) {
  const { key, pathname, hash } = useLocation()
  const how = useNavigationType()
  const before = useRef(pathname)
  useListener(window, ['scroll'], () => positions.set(key, window.scrollY))
  useLayoutEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const part = hash && document.getElementById(decodeURIComponent(hash.slice(1)))
    if (how === 'POP') window.scrollTo(0, positions.get(key) ?? 0)
    else if (part) part.scrollIntoView()
    else window.scrollTo(0, 0)
    const target = part || main.current?.querySelector('h1') || main.current
    target?.focus({ preventScroll: true })
  }, [key, pathname, hash, how, main])
}

function useSignInWhenExpired() {
  const { end } = useSession()
  const navigate = useNavigate()
  const location = useLocation()
  const signIn = useEffectEvent(() => {
    if (location.pathname !== '/signin') navigate('/signin', { state: returnState(location) })
  })
  useEffect(() => {
    if (end === 'expired') signIn()
  }, [end])
}

function useWarningOfNothingKept() {
  const { lastsWhileOpen } = useSession()
  useEffect(() => {
    if (lastsWhileOpen)
      toast(
        i18n.t('Your browser keeps nothing for this site. You stay signed in until you close this page.'),
        { type: 'warning' },
      )
  }, [lastsWhileOpen])
}
