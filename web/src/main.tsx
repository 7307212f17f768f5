import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app/app.tsx'
import { keepSessionFresh, startSession } from './session/renewal.ts'
import { followOtherTabs } from './session/store.ts'
import { guardSharedFiles } from './upload/shared-files.ts'
import './ui/styles.css'

followOtherTabs()
void startSession().then(keepSessionFresh)
guardSharedFiles()

// Only for what the phone shares with the installed app.
void navigator.serviceWorker?.register('/sw.js').catch(() => {})

createRoot(document.getElementById('root')!).render(
  <BrowserRouter>
    <App />
  </BrowserRouter>,
)
