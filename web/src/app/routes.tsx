import { Navigate, type RouteObject } from 'react-router-dom'
import { CrashScreen } from './crash-screen.tsx'
import { SignedInOnly, SignedOutOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { lazyScreen } from './lazy-screen.ts'
import { LoadingScreen } from './loading-screen.tsx'

/** Pages that ask the server for nothing. */
const reading: RouteObject[] = [
  { index: true, lazy: lazyScreen(() => import('../features/landing/landing-screen.tsx')) },
  { path: 'blog', lazy: lazyScreen(() => import('../features/blog/blog-screen.tsx')) },
  { path: 'blog/:id', lazy: lazyScreen(() => import('../features/blog/article-screen.tsx')) },
]

const open: RouteObject[] = [
  { path: 'pricing', lazy: lazyScreen(() => import('../features/pricing/pricing-screen.tsx')) },
  { path: 'contact', lazy: lazyScreen(() => import('../features/contact/contact-screen.tsx')) },
  {
    path: 'forgot-password',
    lazy: lazyScreen(() => import('../features/account/forgot-password-screen.tsx')),
  },
  {
    path: 'reset-password',
    lazy: lazyScreen(() => import('../features/account/reset-password-screen.tsx')),
  },
]

const signedOutOnly: RouteObject[] = [
  { path: 'signup', lazy: lazyScreen(() => import('../features/account/signup-screen.tsx')) },
  { path: 'signin', lazy: lazyScreen(() => import('../features/account/signin-screen.tsx')) },
]

const signedInOnly: RouteObject[] = [
  { path: 'welcome', lazy: lazyScreen(() => import('../features/welcome/welcome-screen.tsx')) },
  { path: 'dashboard', lazy: lazyScreen(() => import('../features/dashboard/dashboard-screen.tsx')) },
  { path: 'transcription-history', lazy: lazyScreen(() => import('../features/history/history-screen.tsx')) },
  // The payment's success page links here.
  { path: 'transcription', element: <Navigate to="/transcription-history" replace /> },
  { path: 'update-profile', lazy: lazyScreen(() => import('../features/profile/update-profile-screen.tsx')) },
  {
    path: 'subscription-details',
    lazy: lazyScreen(() => import('../features/subscription/details-screen.tsx')),
  },
  {
    path: 'subscription/success',
    lazy: lazyScreen(() => import('../features/subscription/success-screen.tsx')),
  },
  {
    path: 'subscription/cancel',
    lazy: lazyScreen(() => import('../features/subscription/cancel-screen.tsx')),
  },
  {
    path: 'subscription/failed',
    lazy: lazyScreen(() => import('../features/subscription/failed-screen.tsx')),
  },
]

export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <CrashScreen />,
    hydrateFallbackElement: <LoadingScreen />,
    children: [
      {
        // A screen that crashes leaves the header and the footer standing.
        errorElement: <CrashScreen />,
        children: [
          ...reading,
          {
            lazy: lazyScreen(() => import('./with-queries.tsx')),
            children: [
              ...open,
              { element: <SignedOutOnly />, children: signedOutOnly },
              { element: <SignedInOnly />, children: signedInOnly },
            ],
          },
          { path: '*', lazy: lazyScreen(() => import('../features/not-found/not-found-screen.tsx')) },
        ],
      },
    ],
  },
]
