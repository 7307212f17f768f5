import { Trans } from '@lingui/react'
import { useState, useSyncExternalStore } from 'react'
import { i18n } from '../language/i18n.ts'
import { readStored, writeStored } from '../storage.ts'
import { Button, TextLink } from '../ui/action/button.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { installPrompt, subscribeToInstallPrompt } from './install-prompt.ts'

/** Storage key, set once the person knows about sharing from WhatsApp. */
const STORED = 'voxscribe.sharing-known'

/** Says how WhatsApp shares to Voxscribe, until dismissed. iPhones need a shortcut, as Safari can't receive files. */
export function InstallApp() {
  const offer = useSyncExternalStore(subscribeToInstallPrompt, installPrompt)
  const [isKnown, setKnown] = useState(() => readStored(STORED) !== null)
  const isIphone = 'standalone' in navigator
  const isInstalled = globalThis.matchMedia?.('(display-mode: standalone)').matches
  if (isKnown || !(offer || isInstalled || isIphone)) return null
  return (
    <TitledCard title={i18n.t('Share from WhatsApp')}>
      <p className="mt-2 text-soft">
        {isIphone ? (
          <Trans
            id="On an iPhone, a shortcut shares voice notes straight from WhatsApp. <0>How to make it</0>"
            components={{ 0: <TextLink to="/docs/connect#a-shortcut-for-iphones" /> }}
          />
        ) : isInstalled ? (
          i18n.t('WhatsApp can share to this app: hold a voice note, press Share, choose Voxscribe.')
        ) : (
          i18n.t('Once the app is installed, WhatsApp can share voice notes to it.')
        )}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {offer && !isInstalled && (
          <Button className="max-sm:grow" onClick={() => void offer.prompt()}>
            {i18n.t('Install app')}
          </Button>
        )}
        <Button
          variant="quiet"
          className="max-sm:grow"
          onClick={() => {
            writeStored(STORED, 'yes')
            setKnown(true)
          }}
        >
          {i18n.t('Don’t show this again')}
        </Button>
      </div>
    </TitledCard>
  )
}
