/** The event with which a browser (Chromium) offers to install the app. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

let offered: InstallPrompt | null = null

/** Keeps the browser's offer, which it makes only once, for the button. */
export function keepInstallPrompt() {
  window.addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    offered = event as InstallPrompt
  })
  window.addEventListener('appinstalled', () => {
    offered = null
  })
}

export const installPrompt = () => offered

export function subscribeToInstallPrompt(changed: () => void) {
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('beforeinstallprompt', changed, { signal })
  window.addEventListener('appinstalled', changed, { signal })
  return () => listening.abort()
}
