import type { Database } from '../database.ts'
import { createFaults } from '../faults.ts'
import type { Deliveries } from '../webhook-delivery.ts'
import { createChatService } from './chat.ts'
import { chatApi } from './chat-api.ts'
import { WhatsAppFaultCounts } from './faults.ts'
import { graphApi, mediaDownload } from './graph-api.ts'
import { createMediaStore } from './media-store.ts'
import { createWhatsAppStore } from './store.ts'
import { createWebhookSender, metaSignature, type WhatsAppSettings } from './webhooks.ts'

export type WhatsAppRoutes = ReturnType<typeof createWhatsApp>

/** The WhatsApp stand-in: Meta's API, the webhooks, and the chat that people and tests use. */
export function createWhatsApp(deps: {
  whatsapp: WhatsAppSettings
  db: Database
  deliveries: Deliveries
  dataDir: string
  appUrl: string
}) {
  const { whatsapp, db, deliveries } = deps
  const store = createWhatsAppStore(db)
  const media = createMediaStore(db, deps.dataDir)
  const faults = createFaults(db, 'whatsapp-faults', WhatsAppFaultCounts)
  deliveries.sendTo('whatsapp', {
    url: `${deps.appUrl}/webhooks/whatsapp`,
    sign: body => metaSignature(whatsapp.appSecret, body),
    delivered: ({ subject }) => store.advanceStatus(subject, 'delivered'),
  })
  const webhooks = createWebhookSender(whatsapp, deliveries)
  const chats = createChatService({ db, store, media, webhooks, faults })
  const graph = { whatsapp, media, faults, chats }
  return {
    faults,
    deliveries,
    graph: graphApi(graph),
    media: mediaDownload(graph),
    api: chatApi({ ...graph, store, deliveries }),
  }
}
