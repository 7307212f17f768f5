import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router-dom'
import { App } from './app/app.tsx'
import { routes } from './app/routes.tsx'
import { keepSessionFresh, startSession } from './session/renewal.ts'
import { followOtherTabs } from './session/store.ts'
import './ui/styles.css'

followOtherTabs()
void startSession().then(keepSessionFresh)

createRoot(document.getElementById('root')!).render(<App router={createBrowserRouter(routes)} />)
