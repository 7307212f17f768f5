import type { Api, GrammyError, RawApi } from 'grammy'

/** Matches our address of a Telegram user. */
const ADDRESS = /^tg:(\d{1,20})$/

/** Returns the address of a Telegram user; their private chat has the same id. */
export const telegramAddress = (userId: number): string => `tg:${userId}`

/** Returns the chat id in such an address. */
export const telegramChatOf = (address: string): number => Number(ADDRESS.exec(address)?.[1])

/** Returns our id of a message: Telegram counts messages per chat, and starts over with another bot. */
export const telegramMessageId = (chatId: number, messageId: number, bot: string): string =>
  `${chatId}:${messageId}:${bot}`

/** Returns the chat and message in such an id. */
export function telegramMessageOf(id: string): { chatId: number; messageId: number } {
  const [chatId, messageId] = id.split(':').map(Number)
  return { chatId: chatId ?? 0, messageId: messageId ?? 0 }
}

/** Thrown when Telegram answers a call with an error. */
export class TelegramRefused extends Error {
  override name = 'TelegramRefused'
  /** 400: bad request; 401 and 404: bad token; 403: the person has blocked the bot; 429: too many calls. */
  readonly code: number
  /** Only with 429. */
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

/** Opens Telegram's Bot API, loaded by the first call. Its errors contain neither the token nor people's words. */
export function openTelegramApi(
  { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_URL: apiRoot }: TelegramSettings,
  timeoutMs: number,
) {
  let opened: Api | undefined
  return {
    /** The bot's id, with which its token begins; it stays the same with a new token. */
    bot: token.split(':')[0] ?? '',
    /** Makes one call. Throws TelegramRefused if Telegram answers with an error, else an error without details. */
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
    /** Creates a file for sending. */
    async fileOf({ name, content }: { name: string; content: string | Buffer }) {
      const { InputFile } = await import('grammy')
      // grammY doesn't quote the name, so it would end at its first space or semicolon.
      return new InputFile(Buffer.from(content), `"${name.replaceAll('"', '')}"`)
    },
    /** Returns the address, with the token, of a file from `getFile`. A local server's path contains the token, too. */
    fileUrl: (filePath: string) => `${apiRoot}/file/bot${token}/${filePath.split(`/${token}/`).at(-1)}`,
  }
}
