import type { Api, GrammyError, RawApi } from 'grammy'

/** Telegram's id of a user, in our addresses. */
const ADDRESS = /^tg:(\d{1,20})$/

/** Returns the address of a Telegram user; their private chat has the same id. */
export const telegramAddress = (userId: number): string => `tg:${userId}`

/** Returns the chat of such an address. */
export const telegramChatOf = (address: string): number => Number(ADDRESS.exec(address)?.[1])

/** Returns our id of a message: Telegram counts those of each chat, and begins again with another bot. */
export const telegramMessageId = (chatId: number, messageId: number, bot: string): string =>
  `${chatId}:${messageId}:${bot}`

/** Returns chat and message of such an id. */
export function telegramMessageOf(id: string): { chatId: number; messageId: number } {
  const [chatId, messageId] = id.split(':').map(Number)
  return { chatId: chatId ?? 0, messageId: messageId ?? 0 }
}

/** A call that Telegram answered with an error. */
export class TelegramRefused extends Error {
  override name = 'TelegramRefused'
  /** 400 wrong, 401 and 404 the token, 403 the person has blocked the bot, 429 too many. */
  readonly code: number
  /** With 429. */
  readonly retryAfterMs: number | undefined
  constructor({ error_code, description, parameters }: GrammyError) {
    super(`Telegram answered ${error_code}: ${description}`)
    this.code = error_code
    this.retryAfterMs = parameters.retry_after === undefined ? undefined : 1000 * parameters.retry_after
  }
}

export interface TelegramSettings {
  TELEGRAM_BOT_TOKEN?: string | undefined
  TELEGRAM_API_URL: string
}

export type TelegramApi = ReturnType<typeof openTelegramApi>

/** Telegram's Bot API, loaded with the first call. Its errors carry neither the token nor people's words. */
export function openTelegramApi(
  { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_URL: apiRoot }: TelegramSettings,
  timeoutMs: number,
) {
  let opened: Api | undefined
  return {
    /** The bot's id, which its token begins with; a new token of the same bot has it, too. */
    bot: token.split(':')[0] ?? '',
    /** Makes one call. Throws TelegramRefused for an error that Telegram gave, else an error without details. */
    async ask<T>(call: (api: RawApi) => Promise<T>): Promise<T> {
      const client = await import('grammy')
      opened ??= new client.Api(token, { apiRoot, timeoutSeconds: timeoutMs / 1000 })
      try {
        return await call(opened.raw)
      } catch (error) {
        if (error instanceof client.GrammyError) throw new TelegramRefused(error)
        throw new Error('Telegram did not answer')
      }
    },
    /** Makes a file that can be sent. */
    async fileOf({ name, content }: { name: string; content: string | Buffer }) {
      const { InputFile } = await import('grammy')
      // grammY writes the name without quotes: it would end at its first space or semicolon.
      return new InputFile(Buffer.from(content), `"${name.replaceAll('"', '')}"`)
    },
    /** The address of a file that `getFile` named. It has the token in it, as a local server's absolute path has, too. */
    fileUrl: (filePath: string) => `${apiRoot}/file/bot${token}/${filePath.split(`/${token}/`).at(-1)}`,
  }
}
