import { StrictMode } from 'react'
import { type DataRouter, RouterProvider } from 'react-router-dom'
import { Toaster } from '../ui/toaster.tsx'

/** The whole application. The browser gives it the address bar's router, a test one of its own. */
export const App = ({ router }: { router: DataRouter }) => (
  <StrictMode>
    <RouterProvider router={router} />
    <Toaster />
  </StrictMode>
)
