import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { createSandboxApp } from './app.ts'
import { openDatabase } from './database.ts'
import { createSettings } from './settings.ts'
import { createDeliveries } from './webhook-delivery.ts'
import { createWhatsApp } from './whatsapp/index.ts'
import type { WhatsAppSettings } from './whatsapp/webhooks.ts'

export interface SandboxOptions {
  /** 0: any free port. */
  port: number
  /** Where to listen; `127.0.0.1` unless told. */
  host?: string
  /** Keeps its state here. What it has answered for outlives a killed process. */
  dataDir: string
  /** How a browser reaches it; `http://localhost:PORT` unless told. */
  publicUrl?: string
  /** The product's public address: webhooks go to `/webhooks/whatsapp` and `/webhooks/stripe` below it. */
  appUrl: string
  log: Logger
  /** Left out: not simulated. */
  whatsapp?: WhatsAppSettings
}

export interface Sandbox {
  /** For a browser. */
  url: string
  /** Origin for `WHATSAPP_GRAPH_URL`. */
  graphUrl?: string
  stop(): Promise<void>
}

/** Starts the stand-ins and their pages; rejects when a port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { log, host = '127.0.0.1' } = options
  const db = openDatabase(options.dataDir)
  const settings = createSettings(db)
  const appUrl = options.appUrl.replace(/\/+$/, '')
  const whatsapp =
    options.whatsapp && createWhatsApp({ ...options, whatsapp: options.whatsapp, db, settings, appUrl })
  const deliveries = createDeliveries({ db, log, settings, targets: { whatsapp: whatsapp?.target } })
  const server = createServer(createSandboxApp({ appUrl, log, whatsapp: whatsapp?.serve(deliveries) }))
  server.listen(options.port, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const local = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  return {
    url: options.publicUrl?.replace(/\/+$/, '') ?? `http://localhost:${port}`,
    ...(whatsapp && { graphUrl: local }),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await Promise.all([closed, deliveries.stop()])
      db.close()
    },
  }
}
