import type { ChatExport, ReadChat } from './chat.ts'
import { readTelegram } from './telegram.ts'
import { readWhatsapp } from './whatsapp.ts'

/** Reads a chat's export, in time that grows with its length. Throws ChatUnreadable. */
export function readChat(chat: ChatExport): ReadChat {
  const text = chat.text.replace(/^\ufeff/, '')
  return chat.source === 'telegram' ? readTelegram({ ...chat, text }) : readWhatsapp({ ...chat, text })
}
