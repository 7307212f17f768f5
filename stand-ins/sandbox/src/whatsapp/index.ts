import { createHmac } from 'node:crypto'
import { chatApi } from '../chat/chat-api.ts'
import { createMediaStore } from '../chat/media-store.ts'
import { createChatStore } from '../chat/store.ts'
import { createFaults } from '../faults.ts'
import { createDeliveries, type Shared } from '../webhook-delivery.ts'
import { createChatService } from './chat.ts'
import { WhatsAppFaultCounts } from './faults.ts'
import { graphApi, mediaDownload } from './graph-api.ts'
import { createWebhookSender, numbersOf, type WhatsAppSettings } from './webhooks.ts'

const metaSignature = (appSecret: string, body: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
})

export type WhatsAppRoutes = ReturnType<typeof createWhatsApp>

/** The WhatsApp stand-in: Meta's API, the webhooks, and the chat that people and tests use. */
export function createWhatsApp(given: Shared & { whatsapp: WhatsAppSettings; dataDir: string }) {
  const { whatsapp, db, dataDir } = given
  const store = createChatStore(db)
  const media = createMediaStore(db, dataDir, '/api/whatsapp/media')
  const faults = createFaults(db, 'whatsapp-faults', WhatsAppFaultCounts)
  const deliveries = createDeliveries(given, {
    provider: 'whatsapp',
    sign: body => metaSignature(whatsapp.appSecret, body),
    delivered: subject => store.advanceStatus(subject, 'delivered'),
  })
  const webhooks = createWebhookSender(whatsapp, deliveries)
  const chats = createChatService({ db, whatsapp, store, media, webhooks, faults })
  const parts = { whatsapp, store, media, faults, chats }
  return {
    numbers: numbersOf(whatsapp),
    store,
    mediaUrl: media.urlOf,
    graph: graphApi(parts),
    media: mediaDownload(parts),
    api: chatApi(parts, deliveries),
    stop: deliveries.stop,
  }
}
