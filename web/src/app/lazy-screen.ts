import type { ComponentType } from 'react'

const RELOADED = 'voxscribe.reloaded'

/**
 * Loads a screen's code when it is first opened. A chunk that is gone means, most of the time, that a new version
 * was deployed: then the page is loaded again, once; if that does not help, the crash screen says so.
 */
export const lazyScreen =
  (load: () => Promise<{ default: ComponentType }>, reload = () => window.location.reload()) =>
  async (): Promise<{ Component: ComponentType }> => {
    try {
      const screen = await load()
      sessionStorage.removeItem(RELOADED)
      return { Component: screen.default }
    } catch (error) {
      if (sessionStorage.getItem(RELOADED)) throw error
      sessionStorage.setItem(RELOADED, 'yes')
      reload()
      return new Promise(() => {})
    }
  }
