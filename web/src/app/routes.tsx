import { Navigate, type RouteObject } from 'react-router-dom'
import { SignedInOnly, SignedOutOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { lazyScreen } from './lazy-screen.tsx'

/** Pages that ask the server for nothing. */
const reading: RouteObject[] = [
  { index: true, element: lazyScreen(() => import('../landing/landing-screen.tsx')) },
  { path: 'blog', element: lazyScreen(() => import('../blog/blog-screen.tsx')) },
  { path: 'blog/:id', element: lazyScreen(() => import('../blog/article-screen.tsx')) },
]

const open: RouteObject[] = [
  { path: 'pricing', element: lazyScreen(() => import('../pricing/pricing-screen.tsx')) },
  { path: 'contact', element: lazyScreen(() => import('../contact/contact-screen.tsx')) },
  {
    path: 'forgot-password',
    element: lazyScreen(() => import('../account/forgot-password-screen.tsx')),
  },
  {
    path: 'reset-password',
    element: lazyScreen(() => import('../account/reset-password-screen.tsx')),
  },
  { path: 'undo-email', element: lazyScreen(() => import('../account/undo-email-screen.tsx')) },
]

const signedOutOnly: RouteObject[] = [
  { path: 'signup', element: lazyScreen(() => import('../account/signup-screen.tsx')) },
  { path: 'signin', element: lazyScreen(() => import('../account/signin-screen.tsx')) },
]

const signedInOnly: RouteObject[] = [
  { path: 'welcome', element: lazyScreen(() => import('../welcome/welcome-screen.tsx')) },
  { path: 'dashboard', element: lazyScreen(() => import('../dashboard/dashboard-screen.tsx')) },
  {
    path: 'transcription-history',
    element: lazyScreen(() => import('../history/history-screen.tsx')),
  },
  {
    path: 'transcriptions/:id',
    element: lazyScreen(() => import('../transcript/transcript-screen.tsx')),
  },
  // The payment's success page links here.
  { path: 'transcription', element: <Navigate to="/transcription-history" replace /> },
  {
    path: 'update-profile',
    element: lazyScreen(() => import('../profile/update-profile-screen.tsx')),
  },
  {
    path: 'subscription-details',
    element: lazyScreen(() => import('../subscription/details-screen.tsx')),
  },
  {
    path: 'subscription/success',
    element: lazyScreen(() => import('../subscription/success-screen.tsx')),
  },
  {
    path: 'subscription/cancel',
    element: lazyScreen(() => import('../subscription/cancel-screen.tsx')),
  },
  {
    path: 'subscription/failed',
    element: lazyScreen(() => import('../subscription/failed-screen.tsx')),
  },
]

export const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      ...reading,
      {
        element: lazyScreen(() => import('./with-queries.tsx')),
        children: [
          ...open,
          { element: <SignedOutOnly />, children: signedOutOnly },
          { element: <SignedInOnly />, children: signedInOnly },
        ],
      },
      { path: '*', element: lazyScreen(() => import('../not-found/not-found-screen.tsx')) },
    ],
  },
]
