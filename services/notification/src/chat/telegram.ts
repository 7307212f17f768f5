import { Later } from '@voxscribe/messaging'
import type { Logger } from '@voxscribe/service'
import {
  type TelegramApi,
  TelegramRefused,
  telegramChatOf,
  telegramMessageId,
  telegramMessageOf,
} from '@voxscribe/service/telegram'
import { type ChatChannel, type ChatMessage, type Choices, withBelow } from './chat.ts'

/** Longest text of a message, in UTF-16 code units. */
const MAX_LENGTH = 4096
/** Telegram shows typing for five seconds. */
const TYPING_MS = 4_500

/** Marks as WhatsApp reads them, except in people's words, which are shielded, and in links. */
const MARKED =
  /https?:\/\/\S+|(?<![\p{Join_C}\p{L}\p{N}*_])(?<mark>[*_])(?=[^\p{Join_C}\s*_])(?<words>[^\n]*?[^\p{Join_C}\s*_])\k<mark>(?![\p{L}\p{N}*_])/gu

/** Removes the marks of bold and italics, and returns their places: Telegram takes these separately from the text. */
export function withoutMarks(marked: string) {
  const entities: { type: 'bold' | 'italic'; offset: number; length: number }[] = []
  let text = ''
  let from = 0
  for (const { 0: whole, index, groups } of marked.matchAll(MARKED)) {
    text += marked.slice(from, index)
    from = index + whole.length
    const { mark, words = whole } = groups ?? {}
    if (mark)
      entities.push({ type: mark === '*' ? 'bold' : 'italic', offset: text.length, length: words.length })
    text += words
  }
  return { text: text + marked.slice(from), entities }
}

const keyboardOf = ({ buttons }: Choices) => ({
  // One below the other: in some languages, titles don't fit side by side on a phone.
  inline_keyboard: buttons.map(({ id, title }) => [{ text: title, callback_data: id }]),
})

/** Telegram's bot. It may write to a person until they block it; there are no templates, and messages are free. */
export function openTelegram(telegram: TelegramApi, log: Logger): ChatChannel {
  /**
   * The quoted message or the topic may have been deleted: the reply matters more than its place. In a topic, Telegram
   * ignores `allow_sending_without_reply`.
   */
  const postAnywhere = (message: ChatMessage): ReturnType<typeof post> =>
    post(message).catch(error => {
      const { quote, topicId } = message
      const isFixed = quote === undefined && topicId === undefined
      if (isFixed || !(error instanceof TelegramRefused) || error.code !== 400) throw error
      return postAnywhere({
        ...message,
        quote: undefined,
        topicId: quote === undefined ? undefined : topicId,
      })
    })

  async function post({ address, topicId, text: marked, quote, file, choices }: ChatMessage) {
    const chat_id = telegramChatOf(address)
    const quoted = quote === undefined ? undefined : telegramMessageOf(quote)
    const { text, entities } = withoutMarks(withBelow(marked, choices?.question))
    const shared = {
      chat_id,
      ...(topicId && { message_thread_id: topicId }),
      // The reply to a note from a group goes to the person's own chat, where the note can't be quoted.
      ...(quoted?.chatId === chat_id && {
        reply_parameters: { message_id: quoted.messageId, allow_sending_without_reply: true },
      }),
      ...(choices && { reply_markup: keyboardOf(choices) }),
    }
    if (!file)
      return telegram.ask(api =>
        api.sendMessage({ ...shared, text, entities, link_preview_options: { is_disabled: true } }),
      )
    const document = await telegram.fileOf(file)
    return telegram.ask(api =>
      api.sendDocument({ ...shared, document, caption: text, caption_entities: entities }),
    )
  }

  return {
    maxLength: MAX_LENGTH,
    hasTemplate: false,
    typingMs: TYPING_MS,
    async send(message) {
      try {
        const { chat, message_id } = await postAnywhere(message)
        return { outcome: 'sent', id: telegramMessageId(chat.id, message_id, telegram.bot) }
      } catch (error) {
        if (!(error instanceof TelegramRefused)) throw error
        const { code, retryAfterMs } = error
        if (retryAfterMs !== undefined) throw new Later(error.message, retryAfterMs)
        // 400: wrong message or chat; 403: the person has blocked the bot.
        if (code === 400 || code === 403)
          return { outcome: 'refused', code: String(code), message: error.message }
        if (code === 401 || code === 404)
          log.error({ code }, 'Telegram rejects TELEGRAM_BOT_TOKEN; nothing can be sent until it is fixed')
        throw error
      }
    },
    async markRead({ address, topicId }, isTyping) {
      if (!isTyping) return
      const target = { chat_id: telegramChatOf(address), ...(topicId && { message_thread_id: topicId }) }
      await telegram.ask(api => api.sendChatAction({ ...target, action: 'typing' }))
    },
  }
}
