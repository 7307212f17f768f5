import { useSyncExternalStore } from 'react'
import { i18n } from '../language/i18n.ts'
import { Button } from '../ui/action/button.tsx'
import { TitledCard } from '../ui/layout/card.tsx'

/** The browser's own offer to install the app (Chromium). */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

let offered: InstallPrompt | null = null

/** Keeps the offer, which the browser makes once, for the button. */
export function keepInstallPrompt() {
  window.addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    offered = event as InstallPrompt
  })
  window.addEventListener('appinstalled', () => {
    offered = null
  })
}

function subscribe(changed: () => void) {
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('beforeinstallprompt', changed, { signal })
  window.addEventListener('appinstalled', changed, { signal })
  return () => listening.abort()
}

/** Says that WhatsApp can share to the installed app; nothing where it can't be installed. */
export function InstallApp() {
  const offer = useSyncExternalStore(subscribe, () => offered)
  const isInstalled = globalThis.matchMedia?.('(display-mode: standalone)').matches
  if (!offer && !isInstalled) return null
  return (
    <TitledCard title={i18n.t('Share from WhatsApp')}>
      <p className="mt-2 text-soft">
        {isInstalled
          ? i18n.t('WhatsApp can share to this app: hold a voice note, press Share, choose Voxscribe.')
          : i18n.t('Once the app is installed, WhatsApp can share voice notes to it.')}
      </p>
      {offer && !isInstalled && (
        <Button className="mt-4 w-full" onClick={() => void offer.prompt()}>
          {i18n.t('Install app')}
        </Button>
      )}
    </TitledCard>
  )
}
