import { I18nProvider } from '@lingui/react'
import { Fragment, StrictMode, Suspense } from 'react'
import { useRoutes } from 'react-router-dom'
import { i18n, useLanguage } from '../language/i18n.ts'
import { CrashBoundary } from '../ui/feedback/crash-boundary.tsx'
import { Toaster } from '../ui/feedback/toaster.tsx'
import { CrashScreen, Loading } from './lazy-screen.tsx'
import { routes } from './routes.tsx'

/** The whole application, inside a router: the address bar's in the browser, one in memory in tests. */
export const App = () => (
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <CrashBoundary place="the application" fallback={<CrashScreen />}>
        <Suspense fallback={<Loading />}>
          <Screens />
        </Suspense>
      </CrashBoundary>
      <Toaster />
    </I18nProvider>
  </StrictMode>
)

/** A new language renders the whole page again. */
function Screens() {
  const language = useLanguage()
  return <Fragment key={language}>{useRoutes(routes)}</Fragment>
}
