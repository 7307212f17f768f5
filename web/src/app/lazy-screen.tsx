import { type ComponentType, lazy, type ReactNode, useEffect } from 'react'
import { NETWORK } from '../api/network.ts'
import { i18n } from '../language/i18n.ts'
import { Button, ButtonLink, Spinner } from '../ui/action/button.tsx'
import { PageTitle } from '../ui/layout/page.tsx'

const RELOADED = 'voxscribe.reloaded'
/** Milliseconds. */
const NOT_AGAIN_WITHIN = 60_000
const LOOK_AGAIN = 3_000

export type Load = () => Promise<{ default: ComponentType }>

/** Whether the server answers; a proxy in front of it that says 502 or 503 while it starts does not count. */
const isReachable = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => !(status >= 500),
    () => false,
  )

/** Returns whether this tab wasn't reloaded within the last minute. A tab that can't remember is never reloaded. */
function mayReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < NOT_AGAIN_WITHIN) return false
    sessionStorage.setItem(RELOADED, String(Date.now()))
    return true
  } catch {
    return false
  }
}

/** Loads a screen. A missing chunk usually means a new version: the page is reloaded, at most once a minute. */
export async function loadOrReload(load: Load, reload = () => window.location.reload()): ReturnType<Load> {
  try {
    return await load()
  } catch (error) {
    if (!(await isReachable())) return { default: () => <NoConnection onBack={reload} /> }
    if (!mayReload()) throw error
    reload()
    return new Promise(() => {})
  }
}

/** A screen whose code is loaded when it is first opened. */
export function lazyScreen(load: Load): ReactNode {
  const Screen = lazy(() => loadOrReload(load))
  return <Screen />
}

const Failed = ({ title, children }: { title: string; children: ReactNode }) => (
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

/** Shown when a screen crashes, or its code is still missing after a reload. */
export const CrashScreen = () => (
  <Failed title={i18n.t('Unexpected Application Error!')}>
    {i18n.t('This page couldn’t be shown. Loading it again usually helps.')}
  </Failed>
)

/** Shown instead of a screen whose code can't be loaded; reloads once the server can be reached. */
function NoConnection({ onBack }: { onBack(): void }) {
  useEffect(() => {
    const timer = setInterval(async () => {
      if (await isReachable()) onBack()
    }, LOOK_AGAIN)
    return () => clearInterval(timer)
  }, [onBack])
  return <Failed title={i18n.t('No connection')}>{i18n.t(NETWORK)}</Failed>
}

export const Loading = ({ label = i18n.t('Loading...') }: { label?: string }) => (
  <div className="page grid min-h-[60vh] place-items-center text-lg text-soft">
    <Spinner label={label} />
  </div>
)
