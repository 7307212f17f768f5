import { Navigate, type RouteObject } from 'react-router-dom'
import { SignedInOnly, SignedOutOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { lazyScreen } from './lazy-screen.tsx'

/** Pages that ask the server for nothing. */
const reading: RouteObject[] = [
  { index: true, element: lazyScreen(() => import('../features/landing/landing-screen.tsx')) },
  { path: 'blog', element: lazyScreen(() => import('../features/blog/blog-screen.tsx')) },
  { path: 'blog/:id', element: lazyScreen(() => import('../features/blog/article-screen.tsx')) },
]

const open: RouteObject[] = [
  { path: 'pricing', element: lazyScreen(() => import('../features/pricing/pricing-screen.tsx')) },
  { path: 'contact', element: lazyScreen(() => import('../features/contact/contact-screen.tsx')) },
  {
    path: 'forgot-password',
    element: lazyScreen(() => import('../features/account/forgot-password-screen.tsx')),
  },
  {
    path: 'reset-password',
    element: lazyScreen(() => import('../features/account/reset-password-screen.tsx')),
  },
  { path: 'undo-email', element: lazyScreen(() => import('../features/account/undo-email-screen.tsx')) },
]

const signedOutOnly: RouteObject[] = [
  { path: 'signup', element: lazyScreen(() => import('../features/account/signup-screen.tsx')) },
  { path: 'signin', element: lazyScreen(() => import('../features/account/signin-screen.tsx')) },
]

const signedInOnly: RouteObject[] = [
  { path: 'welcome', element: lazyScreen(() => import('../features/welcome/welcome-screen.tsx')) },
  { path: 'dashboard', element: lazyScreen(() => import('../features/dashboard/dashboard-screen.tsx')) },
  {
    path: 'transcription-history',
    element: lazyScreen(() => import('../features/history/history-screen.tsx')),
  },
  {
    path: 'transcriptions/:id',
    element: lazyScreen(() => import('../features/transcript/transcript-screen.tsx')),
  },
  // The payment's success page links here.
  { path: 'transcription', element: <Navigate to="/transcription-history" replace /> },
  {
    path: 'update-profile',
    element: lazyScreen(() => import('../features/profile/update-profile-screen.tsx')),
  },
  {
    path: 'subscription-details',
    element: lazyScreen(() => import('../features/subscription/details-screen.tsx')),
  },
  {
    path: 'subscription/success',
    element: lazyScreen(() => import('../features/subscription/success-screen.tsx')),
  },
  {
    path: 'subscription/cancel',
    element: lazyScreen(() => import('../features/subscription/cancel-screen.tsx')),
  },
  {
    path: 'subscription/failed',
    element: lazyScreen(() => import('../features/subscription/failed-screen.tsx')),
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
      { path: '*', element: lazyScreen(() => import('../features/not-found/not-found-screen.tsx')) },
    ],
  },
]
