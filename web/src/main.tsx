import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app/app.tsx'
import { followProfile } from './app/language-switch.tsx'
import { surviveTranslation } from './app/survive-translation.ts'
import { applyTheme } from './app/theme.tsx'
import { showStoredLanguage } from './language/i18n.ts'
import { keepSessionFresh, startSession } from './session/renewal.ts'
import { followOtherTabs } from './session/session.ts'
import { keepInstallPrompt } from './upload/install-prompt.ts'
import { guardSharedFiles } from './upload/shared-files.ts'
import './ui/styles.css'

applyTheme()
surviveTranslation()
keepInstallPrompt()
followOtherTabs()
void startSession().then(keepSessionFresh)
guardSharedFiles()

// The service worker receives what the phone shares with the installed app, and lets people read offline.
void navigator.serviceWorker
  ?.register('/sw.js')
  .then(keepLoadedFiles)
  .catch(() => {})

/** Caches the files that were loaded before the service worker started, as it caches only what it sees. */
async function keepLoadedFiles() {
  await navigator.serviceWorker.ready
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  const cache = await caches.open('app')
  await cache.addAll(['/', ...new Set(files.filter(path => path.startsWith('/assets/')))]).catch(() => {})
}

void showStoredLanguage().then(() => {
  followProfile()
  createRoot(document.getElementById('root')!).render(
    <BrowserRouter>
      <App />
    </BrowserRouter>,
  )
})
