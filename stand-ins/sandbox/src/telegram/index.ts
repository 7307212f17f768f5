import { join } from 'node:path'
import { chatApi } from '../chat/chat-api.ts'
import { createMediaStore } from '../chat/media-store.ts'
import { createChatStore } from '../chat/store.ts'
import { openDatabase } from '../database.ts'
import { createFaults } from '../faults.ts'
import { createDeliveries, type Shared } from '../webhook-delivery.ts'
import { botApi, botFiles, TelegramFaultCounts, type TelegramSettings } from './bot-api.ts'
import { createTelegramChats } from './chats.ts'

export type { TelegramSettings }
export type TelegramRoutes = ReturnType<typeof createTelegram>

/** The Telegram stand-in: the Bot API, updates, and the chat that people and tests use. */
export function createTelegram(given: Shared & { telegram: TelegramSettings; dataDir: string }) {
  const { telegram, dataDir } = given
  const folder = join(dataDir, 'telegram')
  const db = openDatabase(folder)
  const store = createChatStore(db)
  const media = createMediaStore(db, folder, '/api/telegram/media')
  const faults = createFaults(db, 'telegram-faults', TelegramFaultCounts)
  const deliveries = createDeliveries(
    { ...given, db },
    {
      provider: 'telegram',
      sign: () => ({ 'x-telegram-bot-api-secret-token': telegram.secret }),
      delivered: subject => store.advanceStatus(subject, 'delivered'),
    },
  )
  const chats = createTelegramChats({ db, store, deliveries })
  const parts = { telegram, store, media, faults, chats }
  return {
    store,
    mediaUrl: media.urlOf,
    bot: botApi(parts),
    files: botFiles(parts),
    api: chatApi(parts, deliveries),
    username: telegram.username,
    async stop() {
      await deliveries.stop()
      db.close()
    },
  }
}
