import { StrictMode, Suspense } from 'react'
import { useRoutes } from 'react-router-dom'
import { CrashBoundary } from '../ui/crash-boundary.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { CrashScreen } from './crash-screen.tsx'
import { Loading } from './loading-screen.tsx'
import { routes } from './routes.tsx'

/** The whole application, inside a router: the address bar's in the browser, one in memory in tests. */
export const App = () => (
  <StrictMode>
    <CrashBoundary place="the application" fallback={<CrashScreen />}>
      <Suspense fallback={<Loading />}>
        <Screens />
      </Suspense>
    </CrashBoundary>
    <Toaster />
  </StrictMode>
)

const Screens = () => useRoutes(routes)
