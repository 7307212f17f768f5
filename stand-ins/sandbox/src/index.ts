import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { createSandboxApp, type SandboxOptions } from './app.ts'
import { openDatabase } from './database.ts'
import { createHooks } from './hooks/index.ts'
import { startMail } from './mail/index.ts'
import { createStripe } from './stripe/index.ts'
import { createTelegram } from './telegram/index.ts'
import { createWhatsApp } from './whatsapp/index.ts'

export type { SandboxOptions } from './app.ts'
export { isHere, type Part, refuseInPublic } from './in-public.ts'
export type { Mail } from './mail/index.ts'
export { SANDBOX_PRICE_ID } from './stripe/index.ts'

const ANY_ADDRESS = ['0.0.0.0', '::']

/** Starts the stand-ins and their pages. Rejects if a port is taken. Returns their addresses, and received mails. */
export async function startSandbox(options: SandboxOptions) {
  const { host = '127.0.0.1' } = options
  const db = openDatabase(options.dataDir)
  const appUrl = options.appUrl.replace(/(?<!\/)\/+$/, '')
  let url = options.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? ''
  const pageUrl = (path: string) => `${url}${path}`
  const shared = { ...options, host, db, appUrl, pageUrl }

  const whatsapp = options.whatsapp && createWhatsApp({ ...shared, whatsapp: options.whatsapp })
  const telegram = options.telegram && createTelegram({ ...shared, telegram: options.telegram })
  const stripe = options.stripe && createStripe({ ...shared, stripe: options.stripe })
  const mail = options.mail && (await startMail({ ...shared, mail: options.mail }))
  const app = createSandboxApp(
    { ...options, appUrl },
    { whatsapp, telegram, stripe, mail, hooks: createHooks(db) },
  )
  // Longer than clients keep idle connections: Node's default of 5 s may close one during the next request.
  const server = createServer({ keepAliveTimeout: 65_000 }, app)

  async function stop() {
    const closed = server.listening ? once(server, 'close') : Promise.resolve()
    server.close()
    server.closeAllConnections()
    await Promise.all([closed, whatsapp?.stop(), telegram?.stop(), stripe?.stop(), mail?.stop()])
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
  const local = `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`
  return {
    url,
    /** For `HOOKS_ALLOW_ORIGINS`, because its pages receive hooks. */
    origins: [...new Set([new URL(url).origin, local])],
    ...(whatsapp && { graphUrl: local }),
    ...(telegram && { telegramUrl: local }),
    ...(stripe && { stripeUrl: local }),
    ...(mail && { smtpUrl: `smtp://${reached}:${mail.port}`, inbox: mail.inbox }),
    stop,
  }
}
