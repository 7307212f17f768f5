import { Navigate, type RouteObject } from 'react-router-dom'
import { Guard } from './guards.tsx'
import { Layout } from './layout.tsx'
import { type Load, lazyScreen } from './lazy-screen.tsx'
import { settings } from './settings.tsx'

const screen = (path: string, load: Load): RouteObject => ({ path, element: lazyScreen(load) })

export const routes: RouteObject[] = [
  {
    // For people without an account: nothing here is about who is signed in.
    element: lazyScreen(() => import('./with-queries.tsx')),
    children: [screen('s/:token', () => import('../shared/shared-screen.tsx'))],
  },
  {
    element: <Layout />,
    children: [
      { index: true, element: lazyScreen(() => import('../landing/landing-screen.tsx')) },
      screen('blog', () => import('../blog/blog-screen.tsx')),
      screen('blog/:id', () => import('../blog/article-screen.tsx')),
      {
        element: lazyScreen(() => import('./with-queries.tsx')),
        children: [
          screen('pricing', () => import('../pricing/pricing-screen.tsx')),
          screen('privacy', () => import('../legal/privacy-screen.tsx')),
          screen('terms', () => import('../legal/terms-screen.tsx')),
          screen('cookies', () => import('../legal/cookies-screen.tsx')),
          screen('contact', () => import('../contact/contact-screen.tsx')),
          screen('forgot-password', () => import('../account/forgot-password-screen.tsx')),
          screen('reset-password', () => import('../account/reset-password-screen.tsx')),
          screen('confirm-email', () => import('../account/confirm-email-screen.tsx')),
          screen('undo-email', () => import('../account/undo-email-screen.tsx')),
          screen('undo-number', () => import('../account/undo-number-screen.tsx')),
          {
            element: <Guard admits="signed-out" />,
            children: [
              screen('signup', () => import('../account/signup-screen.tsx')),
              screen('signin', () => import('../account/signin-screen.tsx')),
            ],
          },
          {
            element: <Guard admits="signed-in" />,
            children: [
              screen('welcome', () => import('../welcome/welcome-screen.tsx')),
              screen('dashboard', () => import('../dashboard/dashboard-screen.tsx')),
              screen('transcription-history', () => import('../history/history-screen.tsx')),
              screen('transcriptions/:id', () => import('../transcript/transcript-screen.tsx')),
              // The payment's success page links here.
              { path: 'transcription', element: <Navigate to="/transcription-history" replace /> },
              settings,
              screen('subscription-details', () => import('../subscription/details-screen.tsx')),
              screen('subscription/success', () => import('../subscription/success-screen.tsx')),
              screen('subscription/cancel', () => import('../subscription/cancel-screen.tsx')),
              screen('subscription/failed', () => import('../subscription/failed-screen.tsx')),
            ],
          },
        ],
      },
      screen('*', () => import('../not-found/not-found-screen.tsx')),
    ],
  },
]
