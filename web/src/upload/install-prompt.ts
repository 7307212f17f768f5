import { observable } from '../observable.ts'

/** The event with which a browser (Chromium) offers to install the app. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

const offered = observable<InstallPrompt | null>(null)
export const { get: installPrompt, subscribe: subscribeToInstallPrompt } = offered

/** Keeps the browser's offer, which it makes only once, for the button. */
export function keepInstallPrompt() {
  window.addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    offered.set(event as InstallPrompt)
  })
  window.addEventListener('appinstalled', () => offered.set(null))
}
