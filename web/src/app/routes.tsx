import { Navigate, type RouteObject } from 'react-router-dom'
import { Guard } from './guards.tsx'
import { Layout } from './layout.tsx'
import { type Load, lazyScreen } from './lazy-screen.tsx'
import { settings } from './settings.tsx'

const screen = (path: string, load: Load): RouteObject => ({ path, element: lazyScreen(load) })

const mailedLinks = () => import('../person/access/mailed-link-screens.tsx')

export const routes: RouteObject[] = [
  {
    // For people without an account: nothing here is about who is signed in.
    element: lazyScreen(() => import('./with-queries.tsx')),
    children: [screen('s/:token', () => import('../public/shared-screen.tsx'))],
  },
  {
    element: <Layout />,
    children: [
      { index: true, element: lazyScreen(() => import('../public/landing/landing-screen.tsx')) },
      screen('blog', () => import('../public/blog/blog-screen.tsx')),
      screen('blog/:id', () => import('../public/blog/article-screen.tsx')),
      screen('docs', () => import('../public/docs/docs-screen.tsx')),
      screen('docs/:page', () => import('./docs-page-screen.tsx')),
      {
        element: lazyScreen(() => import('./with-queries.tsx')),
        children: [
          screen('pricing', () => import('../plan/pricing-screen.tsx')),
          screen('privacy', () => import('../public/legal/privacy-screen.tsx')),
          screen('terms', () => import('../public/legal/terms-screen.tsx')),
          screen('cookies', () => import('../public/legal/cookies-screen.tsx')),
          screen('contact', () => import('../public/contact-screen.tsx')),
          screen('forgot-password', () => import('../person/access/forgot-password-screen.tsx')),
          screen('reset-password', () => import('../person/access/reset-password-screen.tsx')),
          screen('confirm-email', async () => ({ default: (await mailedLinks()).ConfirmEmailScreen })),
          screen('undo-email', async () => ({ default: (await mailedLinks()).UndoEmailScreen })),
          screen('undo-number', async () => ({ default: (await mailedLinks()).UndoNumberScreen })),
          screen('signed-in', () => import('../person/access/signed-in-screen.tsx')),
          screen('link-sign-in', () => import('../person/access/link-sign-in-screen.tsx')),
          {
            element: <Guard admits="signed-out" />,
            children: [
              screen('signup', () => import('../person/access/signup-screen.tsx')),
              screen('signin', () => import('../person/access/signin-screen.tsx')),
            ],
          },
          {
            element: <Guard admits="signed-in" />,
            children: [
              screen('welcome', () => import('../person/welcome-screen.tsx')),
              screen('dashboard', () => import('../dashboard/dashboard-screen.tsx')),
              screen('transcription-history', () => import('../history/history-screen.tsx')),
              screen('conversations', () => import('../conversations/conversations-screen.tsx')),
              screen('conversations/:id', () => import('../conversations/conversation-screen.tsx')),
              screen('transcriptions/:id', () => import('../transcript/transcript-screen.tsx')),
              // The payment's success page links here.
              { path: 'transcription', element: <Navigate to="/transcription-history" replace /> },
              settings,
              screen('connect/:id', () => import('../programs/connect-screen.tsx')),
              screen('subscription-details', () => import('../plan/details-screen.tsx')),
              screen('subscription/success', () => import('../plan/success-screen.tsx')),
              screen('subscription/cancel', () => import('../plan/cancel-screen.tsx')),
              screen('subscription/failed', () => import('../plan/failed-screen.tsx')),
            ],
          },
        ],
      },
      screen('*', () => import('../public/not-found-screen.tsx')),
    ],
  },
]
