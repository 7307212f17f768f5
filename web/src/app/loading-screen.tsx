import { Spinner } from '../ui/spinner.tsx'

export const LoadingScreen = () => (
  <main className="page grid min-h-dvh place-items-center text-lg text-soft">
    <Spinner label="Loading..." />
  </main>
)
