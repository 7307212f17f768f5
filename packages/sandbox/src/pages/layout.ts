import type { Response } from 'express'
import { type Html, html } from './html.ts'

export type Section = 'whatsapp' | 'payments' | 'mail'

const SECTIONS: { id: Section; href: string; label: string }[] = [
  { id: 'whatsapp', href: '/whatsapp', label: 'WhatsApp' },
  { id: 'payments', href: '/stripe', label: 'Payments' },
  { id: 'mail', href: '/mail', label: 'Mail' },
]

export interface PageOptions {
  title: string
  /** Which entry of the navigation is this page; without it the page has no navigation (a payer's page). */
  section?: Section
  main: Html
  /** File names below `/static`. */
  scripts?: string[]
  /** File names below `/static`, after `base.css`. */
  styles?: string[]
  /** Which parts are simulated. */
  shown: Section[]
  /** Fills the window and scrolls inside. */
  full?: boolean
  appUrl: string
}

const navigation = ({ section, shown }: PageOptions) => html`
  <nav aria-label="Parts of the sandbox">
    ${SECTIONS.filter(({ id }) => shown.includes(id)).map(
      ({ id, href, label }) =>
        html`<a href="${href}"${id === section && html` aria-current="page"`}>${label}</a>`,
    )}
  </nav>`

const page = (options: PageOptions) => html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>${options.title} · Sandbox</title>
  <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/static/base.css">
  ${(options.styles ?? []).map(name => html`<link rel="stylesheet" href="/static/${name}">`)}
  ${(options.scripts ?? []).map(name => html`<script type="module" src="/static/${name}"></script>`)}
</head>
<body${options.full && html` class="full"`}>
  <a class="skip" href="#main">Skip to content</a>
  <header class="top">
    <p class="brand"><span class="mark" aria-hidden="true"></span>Sandbox</p>
    ${options.section && navigation(options)}
    <a class="out" href="${options.appUrl}">Open the app</a>
  </header>
  <main id="main" tabindex="-1">${options.main}</main>
</body>
</html>
`

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

export function sendPage(response: Response, options: PageOptions) {
  response
    .set({
      'content-security-policy': POLICY.join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .type('html')
    .send(page(options).text)
}
