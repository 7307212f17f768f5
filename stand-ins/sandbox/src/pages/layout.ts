import type { Response } from 'express'
import { type Html, html } from './html.ts'

export type Section = 'whatsapp' | 'telegram' | 'payments' | 'mail' | 'hooks'

export const SECTIONS: { id: Section; href: string; label: string }[] = [
  { id: 'whatsapp', href: '/whatsapp', label: 'WhatsApp' },
  { id: 'telegram', href: '/telegram', label: 'Telegram' },
  { id: 'payments', href: '/stripe', label: 'Payments' },
  { id: 'mail', href: '/mail', label: 'Mail' },
  { id: 'hooks', href: '/hooks', label: 'Hooks' },
]

interface PageOptions {
  title: string
  /** The page's entry in the navigation; a page without one (a payer's page) has no navigation. */
  section?: Section
  main: Html
  /** File names below `/static`. */
  scripts?: string[]
  /** Fills the window and scrolls inside. */
  full?: boolean
  /** Origins besides the sandbox's own that a form may lead to. */
  formActions?: string[]
}

interface Frame {
  shown: typeof SECTIONS
  appUrl: string
}

const parts = ({ section, shown }: PageOptions & Frame) => html`
  <ul>${shown.map(
    ({ id, href, label }) =>
      html`<li><a href="${href}"${id === section && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul>`

const page = (options: PageOptions & Frame) => html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>${options.title} · Sandbox</title>
  <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/static/pico/pico.min.css">
  <link rel="stylesheet" href="/static/sandbox.css">
  ${['live.js', ...(options.scripts ?? [])].map(name => html`<script type="module" src="/static/${name}"></script>`)}
</head>
<body${options.full && html` class="full"`}>
  <a class="skip" href="#main">Skip to content</a>
  <nav class="container-fluid" aria-label="Parts of the sandbox">
    <ul><li><strong>Sandbox</strong></li></ul>
    ${options.section && parts(options)}
    <ul><li><a href="${options.appUrl}">Open the app</a></li></ul>
  </nav>
  <main id="main" tabindex="-1">${options.main}</main>
</body>
</html>
`

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"

export type SendPage = (response: Response, options: PageOptions) => void

/** Sends pages in the sandbox's frame; only the sandbox's own scripts run, and nothing loads from elsewhere. */
export const createSendPage =
  (frame: Frame): SendPage =>
  (response, options) => {
    const formAction = ["form-action 'self'", ...(options.formActions ?? [])].join(' ')
    response
      .set({
        'content-security-policy': `${formAction}; ${POLICY}`,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .type('html')
      .send(page({ ...options, ...frame }).text)
  }
