import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { createFaults } from '../faults.ts'
import { createDeliveries } from '../webhook-delivery.ts'
import { createChatService } from './chat.ts'
import { chatApi } from './chat-api.ts'
import { WhatsAppFaultCounts } from './faults.ts'
import { graphApi, mediaDownload } from './graph-api.ts'
import { createMediaStore } from './media-store.ts'
import { createWhatsAppStore } from './store.ts'
import { createWebhookSender, type WhatsAppSettings } from './webhooks.ts'

/** Meta's signature over the bytes of the body. */
const metaSignature = (appSecret: string, body: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
})

export type WhatsAppRoutes = ReturnType<typeof createWhatsApp>

/** The WhatsApp stand-in: Meta's API, the webhooks, and the chat that people and tests use. */
export function createWhatsApp(deps: {
  whatsapp: WhatsAppSettings
  db: Database
  log: Logger
  dataDir: string
  appUrl: string
}) {
  const { whatsapp, db, log } = deps
  const store = createWhatsAppStore(db)
  const media = createMediaStore(db, deps.dataDir)
  const faults = createFaults(db, 'whatsapp-faults', WhatsAppFaultCounts)
  const deliveries = createDeliveries({
    provider: 'whatsapp',
    url: `${deps.appUrl}/webhooks/whatsapp`,
    sign: body => metaSignature(whatsapp.appSecret, body),
    delivered: subject => store.advanceStatus(subject, 'delivered'),
    db,
    log,
  })
  const webhooks = createWebhookSender(whatsapp, deliveries)
  const chats = createChatService({ db, store, media, webhooks, faults })
  const graph = { whatsapp, media, faults, chats }
  return {
    store,
    graph: graphApi(graph),
    media: mediaDownload(graph),
    api: chatApi({ ...graph, store, deliveries }),
    stop: deliveries.stop,
  }
}
