import type { Database } from '../database.ts'
import type { Settings } from '../settings.ts'
import type { Deliveries, Target } from '../webhook-delivery.ts'
import { createChatService } from './chat.ts'
import { chatApi } from './chat-api.ts'
import { createWhatsAppFaults } from './faults.ts'
import { graphApi, mediaDownload } from './graph-api.ts'
import { createMediaStore } from './media-store.ts'
import { createWhatsAppStore } from './store.ts'
import { createWebhookSender, metaSignature, type WhatsAppSettings } from './webhooks.ts'

export type WhatsAppRoutes = ReturnType<ReturnType<typeof createWhatsApp>['serve']>

/** The WhatsApp stand-in: Meta's API, the webhooks, and the chat that people and tests use. */
export function createWhatsApp(deps: {
  whatsapp: WhatsAppSettings
  db: Database
  settings: Settings
  dataDir: string
  appUrl: string
}) {
  const { whatsapp, db } = deps
  const store = createWhatsAppStore(db)
  const media = createMediaStore(db, deps.dataDir)
  const faults = createWhatsAppFaults(deps.settings)
  const target: Target = {
    url: `${deps.appUrl}/webhooks/whatsapp`,
    sign: body => metaSignature(whatsapp.appSecret, body),
    delivered: ({ label, subject }) => {
      if (label.startsWith('message')) store.advanceStatus(subject, 'delivered')
    },
  }
  return {
    target,
    serve(deliveries: Deliveries) {
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
    },
  }
}
