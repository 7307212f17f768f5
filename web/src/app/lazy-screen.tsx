import { type ComponentType, lazy, type ReactNode } from 'react'

const RELOADED = 'voxscribe.reloaded'

type Load = () => Promise<{ default: ComponentType }>

/**
 * Loads a screen's code. A chunk that is gone means, most of the time, that a new version was deployed: then the
 * page is loaded again, once; if that does not help, the crash screen says so.
 */
export async function loadOrReload(load: Load, reload = () => window.location.reload()): ReturnType<Load> {
  try {
    const screen = await load()
    sessionStorage.removeItem(RELOADED)
    return screen
  } catch (error) {
    if (sessionStorage.getItem(RELOADED)) throw error
    sessionStorage.setItem(RELOADED, 'yes')
    reload()
    return new Promise(() => {})
  }
}

/** A screen whose code comes when it is first opened. */
export function lazyScreen(load: Load): ReactNode {
  const Screen = lazy(() => loadOrReload(load))
  return <Screen />
}
