import { i18n } from '../language/i18n.ts'
import { Button, ButtonLink } from '../ui/action/button.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'

/** Shown when a screen crashes or its code can't be loaded. */
export const CrashScreen = () => (
  <div className="page grid min-h-[60vh] place-content-center justify-items-start gap-5 py-24">
    <PageTitle title={i18n.t('Unexpected Application Error!')} />
    <p className="max-w-prose text-lg text-soft">
      {navigator.onLine
        ? i18n.t('This page couldn’t be shown. Loading it again usually helps.')
        : i18n.t('You’re offline. Pages show what was read last.')}
    </p>
    <div className="flex flex-wrap gap-3">
      <Button onClick={() => window.location.reload()}>{i18n.t('Load again')}</Button>
      <ButtonLink to="/" reloadDocument variant="secondary">
        {i18n.t('Go Home')}
      </ButtonLink>
    </div>
  </div>
)
