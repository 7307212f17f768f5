import type { z } from 'zod'
import type { Writing } from '../chat/chat-api.ts'
import type { ChatStore, Message } from '../chat/store.ts'
import { type Database, inTransaction } from '../database.ts'
import type { Deliveries } from '../webhook-delivery.ts'

interface Parts {
  db: Database
  store: ChatStore
  deliveries: Deliveries
}

export type TelegramChats = ReturnType<typeof createTelegramChats>

/** The bot, as its people see it. */
export const BOT = { id: 7_000_000_001, is_bot: true, first_name: 'Voxscribe' }

const numberOf = (message: Message): number => message.number ?? 0

/** Exchanges between people and the bot. A person's Telegram id is also their chat's id. */
export function createTelegramChats({ db, store, deliveries }: Parts) {
  const fromOf = (id: string) => ({
    id: Number(id),
    is_bot: false,
    first_name: store.person(id)?.name ?? id,
    language_code: 'en',
  })
  const placeOf = (message: Message) => ({
    message_id: numberOf(message),
    chat: { id: Number(message.chat), type: 'private' },
  })

  function contentOf({ type, text, media, voice, fileName }: Message): object {
    if (!media) return { text }
    const file = {
      file_id: media.id,
      file_unique_id: media.sha256.slice(0, 16),
      mime_type: media.mimeType.split(';')[0],
      file_size: media.bytes,
      ...(fileName && { file_name: fileName }),
    }
    if (type === 'image') return { photo: [file], ...(text && { caption: text }) }
    const kind = voice ? 'voice' : type === 'audio' || type === 'video' ? type : 'document'
    return { [kind]: { ...file, duration: 1 }, ...(text && { caption: text }) }
  }

  const writtenBy = (message: Message) => ({
    ...placeOf(message),
    from: message.direction === 'out' ? fromOf(message.chat) : BOT,
    ...contentOf(message),
  })

  function updateOf(message: Message): object {
    const update = { update_id: numberOf(message) }
    const quoted = store.message(message.quotedId)
    if (message.pressed && quoted) {
      const pressed = { id: message.id, from: fromOf(message.chat), message: placeOf(quoted) }
      return { ...update, callback_query: { ...pressed, data: message.pressed.id } }
    }
    return {
      ...update,
      message: {
        ...placeOf(message),
        from: fromOf(message.chat),
        date: Math.floor(message.at / 1000),
        ...(quoted && { reply_to_message: writtenBy(quoted) }),
        ...contentOf(message),
      },
    }
  }

  return {
    /** Adds a person's message to the bot, and queues its update in the same write. */
    fromPerson(writing: z.output<typeof Writing>, given: Pick<Message, 'type'> & Partial<Message>) {
      const { from, name, replyTo: quotedId = null, repeat } = writing
      return inTransaction(db, () => {
        const { id } = store.savePerson(from, { name })
        const message = store.addMessage({
          ...given,
          chat: id,
          direction: 'out',
          quotedId,
          number: store.nextNumber(),
        })
        for (let time = 0; time < repeat; time++)
          deliveries.enqueue(message.id, JSON.stringify(updateOf(message)))
        return message
      })
    },

    /** Adds the bot's message to a person; undefined if the person has never written to the bot. */
    fromBot(chatId: number, message: Pick<Message, 'type'> & Partial<Message>, quoted: number | undefined) {
      const person = store.person(String(chatId))
      if (!person) return undefined
      const chat = person.id
      const quotedId = store.chat(chat).find(each => numberOf(each) === quoted)?.id ?? null
      const status = 'delivered' as const
      return placeOf(
        store.addMessage({ ...message, chat, direction: 'in', quotedId, status, number: store.nextNumber() }),
      )
    },

    personHasRead(id: string) {
      for (const { direction, id: message } of store.chat(id))
        if (direction === 'in') store.advanceStatus(message, 'read')
    },
  }
}
