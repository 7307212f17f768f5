import type { ReactNode } from 'react'
import { NETWORK } from '../api/network.ts'
import { i18n } from '../language/i18n.ts'
import { Button, ButtonLink } from '../ui/action/button.tsx'
import { useListener } from '../ui/action/use-listener.ts'
import { PageTitle } from '../ui/layout/page.tsx'

interface FailedProps {
  title: string
  children: ReactNode
}

const Failed = ({ title, children }: FailedProps) => (
  <div className="page grid min-h-[60vh] place-content-center justify-items-start gap-5 py-24">
    <PageTitle title={title} />
    <p className="max-w-prose text-lg text-soft">{children}</p>
    <div className="flex flex-wrap gap-3">
      <Button onClick={() => window.location.reload()}>{i18n.t('Load again')}</Button>
      <ButtonLink to="/" reloadDocument variant="secondary">
        {i18n.t('Go Home')}
      </ButtonLink>
    </div>
  </div>
)

/** Shown when a screen crashes, or its code is missing also after the page was loaded again. */
export const CrashScreen = () => (
  <Failed title={i18n.t('Unexpected Application Error!')}>
    {i18n.t('This page couldn’t be shown. Loading it again usually helps.')}
  </Failed>
)

/** Shown in place of a screen whose code can't be loaded, until there is a network again. */
export function NoConnection() {
  useListener(window, ['online'], () => window.location.reload())
  return <Failed title={i18n.t('No connection')}>{i18n.t(NETWORK)}</Failed>
}
