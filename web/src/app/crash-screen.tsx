import { Button, ButtonLink } from '../ui/button.tsx'
import { PageTitle } from '../ui/page-title.tsx'

/** Shown when a screen crashes or its code can't be loaded. */
export const CrashScreen = () => (
  <div className="page grid min-h-[60vh] place-content-center justify-items-start gap-5 py-24">
    <PageTitle title="Unexpected Application Error!" />
    <p className="max-w-prose text-lg text-soft">
      This page couldn’t be shown. Loading it again usually helps.
    </p>
    <div className="flex flex-wrap gap-3">
      <Button onClick={() => window.location.reload()}>Load again</Button>
      <ButtonLink to="/" reloadDocument variant="secondary">
        Go Home
      </ButtonLink>
    </div>
  </div>
)
