import { type ComponentType, lazy, type ReactNode } from 'react'
import { NoConnection } from './crash-screen.tsx'

const RELOADED = 'voxscribe.reloaded'
/** Milliseconds. */
const NOT_AGAIN_WITHIN = 60_000

export type Load = () => Promise<{ default: ComponentType }>

const isReachable = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
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
    if (!(await isReachable())) return { default: NoConnection }
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
