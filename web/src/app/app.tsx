import { I18nProvider } from '@lingui/react'
import { Fragment, StrictMode, Suspense } from 'react'
import { useRoutes } from 'react-router-dom'
import { i18n, useLanguage } from '../language/i18n.ts'
import { CrashBoundary } from '../ui/feedback/crash-boundary.tsx'
import { Toaster } from '../ui/feedback/toaster.tsx'
import { CrashScreen, Loading } from './lazy-screen.tsx'
import { routes } from './routes.tsx'

/** The whole application. Its caller provides the router: the browser's, or one in memory in tests. */
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

/** Re-renders the whole page when the language changes. */
function Screens() {
  const language = useLanguage()
  return <Fragment key={language}>{useRoutes(routes)}</Fragment>
}
