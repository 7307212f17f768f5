import type { ChatExport, ReadChat } from './chat.ts'
import { readTelegram } from './telegram.ts'
import { readWhatsapp } from './whatsapp.ts'

/** Reads the export of a chat in time proportional to its length. Throws ChatUnreadable. */
export function readChat(chat: ChatExport): ReadChat {
  const text = chat.text.replace(/^\ufeff/, '')
  return chat.source === 'telegram' ? readTelegram({ ...chat, text }) : readWhatsapp({ ...chat, text })
}
