import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { createSandboxApp } from './app.ts'
import { openDatabase } from './database.ts'
import { type MailSettings, startMail } from './mail/index.ts'
import { createStripe, type StripeSettings } from './stripe/index.ts'
import { createWhatsApp } from './whatsapp/index.ts'
import type { WhatsAppSettings } from './whatsapp/webhooks.ts'

export type { Mail } from './mail/index.ts'

export interface SandboxOptions {
  /** 0: any free port. */
  port: number
  /** Address to listen on, for HTTP and mail; default: `127.0.0.1`. */
  host?: string
  /** Folder for its state. Whatever it has answered survives a killed process. */
  dataDir: string
  /** How a browser reaches it; default: `http://localhost:PORT`. */
  publicUrl?: string
  /** The product's address for the sandbox: webhooks go to `/webhooks/whatsapp` and `/webhooks/stripe` below it. */
  appUrl: string
  /** How a browser reaches the product, for the link in the pages; default: `appUrl`. */
  appPublicUrl?: string
  log: Logger
  /** Runs before every other handler; for tests. */
  before?: RequestHandler
  /** A part that is left out is not simulated. */
  whatsapp?: WhatsAppSettings
  stripe?: StripeSettings
  mail?: MailSettings
}

const ANY_ADDRESS = ['0.0.0.0', '::']

/**
 * Starts the stand-ins and their pages; rejects when a port is taken. Returns the address for a browser, the origins for
 * `WHATSAPP_GRAPH_URL` and `STRIPE_API_URL`, `SMTP_URL`, and for tests the mails received.
 */
export async function startSandbox(options: SandboxOptions) {
  const { log, host = '127.0.0.1' } = options
  const db = openDatabase(options.dataDir)
  const appUrl = options.appUrl.replace(/\/+$/, '')
  let url = options.publicUrl?.replace(/\/+$/, '') ?? ''
  const pageUrl = (path: string) => `${url}${path}`
  const shared = { ...options, host, db, appUrl, pageUrl }

  const whatsapp = options.whatsapp && createWhatsApp({ ...shared, whatsapp: options.whatsapp })
  const stripe = options.stripe && createStripe({ ...shared, stripe: options.stripe })
  const mail = options.mail && (await startMail({ ...shared, mail: options.mail }))
  const { publicUrl, before, appPublicUrl = appUrl } = options
  const app = createSandboxApp({ appUrl: appPublicUrl, publicUrl, log, before, whatsapp, stripe, mail })
  // Longer than clients keep idle connections: Node closes them after 5 s, maybe under the next request.
  const server = createServer({ keepAliveTimeout: 65_000 }, app)

  async function stop() {
    const closed = server.listening ? once(server, 'close') : Promise.resolve()
    server.close()
    server.closeAllConnections()
    await Promise.all([closed, whatsapp?.stop(), stripe?.stop(), mail?.stop()])
    db.close()
  }

  try {
    server.listen(options.port, host)
    await once(server, 'listening')
  } catch (error) {
    await stop()
    throw error
  }
  const { port } = server.address() as AddressInfo
  url ||= `http://localhost:${port}`
  const reached = ANY_ADDRESS.includes(host) ? '127.0.0.1' : host
  const local = `http://${reached}:${port}`
  return {
    url,
    ...(whatsapp && { graphUrl: local }),
    ...(stripe && { stripeUrl: local }),
    ...(mail && { smtpUrl: `smtp://${reached}:${mail.port}`, inbox: mail.inbox }),
    stop,
  }
}
