import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import type { HooksPart } from './hooks/index.ts'
import { answerErrors, badInput, notFound } from './input.ts'
import type { MailPart, MailSettings } from './mail/index.ts'
import { telegramPages, whatsappPages } from './pages/chat-page.ts'
import { hooksPages } from './pages/hooks-page.ts'
import { createSendPage, SECTIONS } from './pages/layout.ts'
import { mailPages } from './pages/mail-page.ts'
import { payerPages } from './pages/payer-pages.ts'
import { paymentsPages } from './pages/payments-page.ts'
import type { StripeRoutes, StripeSettings } from './stripe/index.ts'
import type { TelegramRoutes, TelegramSettings } from './telegram/index.ts'
import type { WhatsAppRoutes } from './whatsapp/index.ts'
import type { WhatsAppSettings } from './whatsapp/webhooks.ts'

const STATIC = fileURLToPath(new URL('./pages/static', import.meta.url))
const PICO = dirname(createRequire(import.meta.url).resolve('@picocss/pico'))

export interface SandboxOptions {
  /** 0: any free port. */
  port: number
  /** Address to listen on, for HTTP and mail; default: `127.0.0.1`. */
  host?: string
  /** Folder for its state. State that a response depends on survives a killed process. */
  dataDir: string
  /** The sandbox's address for a browser; default: `http://localhost:PORT`. */
  publicUrl?: string
  /** The product's address for the sandbox; webhooks go to `/webhooks/whatsapp` and `/webhooks/stripe` below it. */
  appUrl: string
  /** The product's address for a browser, for the link in the pages; default: `appUrl`. */
  appPublicUrl?: string
  log: Logger
  /** Runs before every other handler; for tests. */
  before?: RequestHandler
  /** Parts that are left out aren't simulated. */
  whatsapp?: WhatsAppSettings
  telegram?: TelegramSettings
  stripe?: StripeSettings
  mail?: MailSettings
}

interface Parts {
  whatsapp?: WhatsAppRoutes
  telegram?: TelegramRoutes
  stripe?: StripeRoutes
  mail?: MailPart
  hooks: HooksPart
}

/**
 * All routes of the sandbox. The simulated APIs share an origin: Graph below `/vNN.N`, Telegram below `/bot<token>`,
 * Stripe below `/v1`.
 */
export function createSandboxApp(
  options: SandboxOptions,
  { whatsapp, telegram, stripe, mail, hooks }: Parts,
) {
  const { appUrl, appPublicUrl = appUrl, publicUrl, log, before } = options
  const parts = { whatsapp, telegram, payments: stripe, mail, hooks }
  const shown = SECTIONS.filter(({ id }) => parts[id])
  const sendPage = createSendPage({ appUrl: appPublicUrl, shown })
  const app = express()
  app.disable('x-powered-by')
  if (before) app.use(before)
  if (whatsapp) {
    app.use(/^\/v\d{1,3}\.\d{1,2}(?=\/)/, whatsapp.graph)
    app.use('/whatsapp-media', whatsapp.media)
  }
  if (telegram) {
    app.use(/^\/bot\d+:[\w-]+(?=\/)/, telegram.bot)
    app.use(/^\/file\/bot\d+:[\w-]+(?=\/)/, telegram.files)
  }
  if (stripe) app.use('/v1', stripe.api)
  app.use('/hooks', hooks.receiver)
  app.use(ownHostOnly(publicUrl), sameSiteOnly)
  app.use('/static', express.static(STATIC))
  app.use('/static/pico', express.static(PICO))
  app.use(express.json({ limit: '100kb' }), express.urlencoded({ extended: false, limit: '20kb' }))
  if (whatsapp) {
    app.use('/api/whatsapp', whatsapp.api)
    app.use(whatsappPages(whatsapp, sendPage))
  }
  if (telegram) {
    app.use('/api/telegram', telegram.api)
    app.use(telegramPages(telegram, sendPage))
  }
  if (stripe) {
    app.use('/api/stripe', stripe.control)
    app.use(payerPages(stripe, sendPage))
    app.use(paymentsPages(stripe, sendPage))
  }
  if (mail) {
    app.use('/api/mail', mail.api)
    app.use(mailPages(mail, sendPage))
  }
  app.use(hooksPages(hooks, sendPage))
  app.get('/', (_request, response) => {
    response.redirect(shown[0]?.href ?? '/hooks')
  })
  app.use(() => {
    throw notFound('Page')
  })
  app.use(answerErrors((message, status) => badInput(message, undefined, status)))
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    log.error({ err: error, path: request.path }, 'sandbox')
    if (response.headersSent) return next(error)
    response.status(500).json({ error: 'Server error' })
  })
  return app
}

/** Prevents DNS rebinding: a web site may point its name at this machine, but not an IP address or our names. */
function ownHostOnly(publicUrl: string | undefined): RequestHandler {
  const names = ['localhost', ...(publicUrl ? [new URL(publicUrl).hostname] : [])]
  return ({ hostname }, response, next) => {
    // Express returns undefined without a Host header, and an IPv6 address in brackets.
    if (names.includes(hostname ?? '') || isIP((hostname ?? '').replace(/^\[|\]$/g, ''))) next()
    else response.status(403).json({ error: 'The sandbox does not answer under this name' })
  }
}

/** Keeps other web sites in the same browser from pressing buttons or reading chats here. */
function sameSiteOnly(request: Request, response: Response, next: NextFunction) {
  const site = request.get('sec-fetch-site')
  const harmless = request.method === 'GET' && !request.path.startsWith('/api/')
  if (harmless || !site || site === 'same-origin' || site === 'none') next()
  else response.status(403).json({ error: 'Only from the pages of the sandbox' })
}
