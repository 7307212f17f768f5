import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router-dom'
import { Guard } from './guards.tsx'
import { Layout } from './layout.tsx'
import { type Load, lazyScreen } from './lazy-screen.tsx'
import { settings } from './settings.tsx'

const screen = (path: string, load: Load): RouteObject => ({ path, element: lazyScreen(load) })

const articles = () => import('../public/blog/blog-screens.tsx')
const legal = () => import('../public/legal/legal-screens.tsx')
const mailedLinks = () => import('../person/access/mailed-link-screens.tsx')
const passwords = () => import('../person/access/password-screens.tsx')
const payment = () => import('../plan/payment-screens.tsx')
const provider = () => import('../person/access/provider-screens.tsx')

/** Loads one of the screens of a module. */
const one =
  <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name): Load =>
  async () => ({ default: (await load())[name] })

export const routes: RouteObject[] = [
  {
    // Pages for people without an account, which don't depend on who is signed in.
    element: lazyScreen(() => import('./with-queries.tsx')),
    children: [screen('s/:token', () => import('../public/shared-screen.tsx'))],
  },
  {
    element: <Layout />,
    children: [
      { index: true, element: lazyScreen(() => import('../public/landing/landing-screen.tsx')) },
      screen('blog', one(articles, 'BlogScreen')),
      screen('blog/:id', one(articles, 'ArticleScreen')),
      screen('docs', () => import('../public/docs/docs-screen.tsx')),
      screen('docs/:page', () => import('./docs-page-screen.tsx')),
      {
        element: lazyScreen(() => import('./with-queries.tsx')),
        children: [
          screen('pricing', () => import('../plan/pricing-screen.tsx')),
          screen('privacy', one(legal, 'PrivacyScreen')),
          screen('terms', one(legal, 'TermsScreen')),
          screen('cookies', one(legal, 'CookiesScreen')),
          screen('contact', () => import('../public/contact-screen.tsx')),
          screen('forgot-password', one(passwords, 'ForgotPasswordScreen')),
          screen('reset-password', one(passwords, 'ResetPasswordScreen')),
          screen('confirm-email', one(mailedLinks, 'ConfirmEmailScreen')),
          screen('undo-email', one(mailedLinks, 'UndoEmailScreen')),
          screen('undo-number', one(mailedLinks, 'UndoNumberScreen')),
          screen('signed-in', one(provider, 'SignedInScreen')),
          screen('link-sign-in', one(provider, 'LinkSignInScreen')),
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
              screen('subscription/success', one(payment, 'SuccessScreen')),
              screen('subscription/cancel', one(payment, 'CancelScreen')),
              screen('subscription/failed', one(payment, 'FailedScreen')),
            ],
          },
        ],
      },
      screen('*', () => import('../public/not-found-screen.tsx')),
    ],
  },
]
