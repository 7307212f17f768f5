import express, { type NextFunction, type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { mimeTypeOf } from '../chat/media-kinds.ts'
import type { MediaStore } from '../chat/media-store.ts'
import type { Message } from '../chat/store.ts'
import { calls, type Faults } from '../faults.ts'
import { ApiError, answerErrors, check } from '../input.ts'
import { BOT, type TelegramChats } from './chats.ts'

export interface TelegramSettings {
  /** The bot's token, from BotFather. */
  token: string
  secret: string
  username: string
}

export const TelegramFaultCounts = z.object({
  /** The next n calls get 429, with a retry after one second. */
  rateLimited: calls,
  blocked: z.boolean().default(false),
})

export interface BotParts {
  telegram: TelegramSettings
  media: MediaStore
  faults: Faults<typeof TelegramFaultCounts>
  chats: TelegramChats
}

/** An error in Telegram's format. */
const refused = (error_code: number, description: string, parameters?: object) =>
  new ApiError(description, error_code, {
    ok: false,
    error_code,
    description,
    ...(parameters && { parameters }),
  })
const bad = (message: string) => refused(400, `Bad Request: ${message}`)

/** Fields of a multipart call are JSON strings. */
const inJson = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(value => (typeof value === 'string' ? JSON.parse(value) : value), schema)
const Button = z.object({ text: z.string().min(1), callback_data: z.string().min(1) })
const To = z.object({
  chat_id: z.coerce.number(),
  reply_parameters: inJson(z.object({ message_id: z.number() })).optional(),
  reply_markup: inJson(z.object({ inline_keyboard: z.array(z.array(Button)) })).optional(),
})
const SendMessage = To.extend({
  text: z.string().min(1, 'message text is empty').max(4096, 'message is too long'),
})
const SendDocument = To.extend({ caption: z.string().max(1024, 'message caption is too long').optional() })
const GetFile = z.object({ file_id: z.string() })
const Callback = z.object({ callback_query_id: z.string().min(1) })

/** Bytes of the largest file that a bot may download. */
const FILE_MAX = 20 * 1024 * 1024
const CALLBACK_BYTES_MAX = 64

/** The part of the Bot API that the product uses; mounted below `/bot<token>`. */
export function botApi({ telegram, media, faults, chats }: BotParts) {
  function write(
    { chat_id, reply_parameters, reply_markup }: z.output<typeof To>,
    message: Partial<Message>,
  ) {
    if (faults.read().blocked) throw refused(403, 'Forbidden: bot was blocked by the user')
    const buttons = reply_markup?.inline_keyboard.flat().map(({ text, callback_data }) => {
      if (Buffer.byteLength(callback_data) > CALLBACK_BYTES_MAX) throw bad('BUTTON_DATA_INVALID')
      return { id: callback_data, title: text }
    })
    const written = { type: 'text' as const, ...(buttons && { buttons }), ...message }
    const sent = chats.fromBot(chat_id, written, reply_parameters?.message_id)
    if (!sent) throw bad('chat not found')
    return sent
  }

  const methods: Record<string, (request: Request) => unknown> = {
    getMe: () => ({ ...BOT, username: telegram.username }),
    setWebhook: () => true,
    setMyCommands: () => true,
    sendChatAction: () => true,
    answerCallbackQuery: ({ body }) => check(Callback, body, bad) && true,
    sendMessage: ({ body }) => {
      const { text, ...to } = check(SendMessage, body, bad)
      return write(to, { text })
    },
    async sendDocument({ body, file }) {
      const { caption = null, ...to } = check(SendDocument, body, bad)
      if (!file) throw bad('document is empty')
      const kept = await media.keep(file, mimeTypeOf(file, { voice: false }))
      return write(to, { type: 'document', text: caption, media: kept, fileName: file.originalname })
    },
    getFile({ body }) {
      const found = media.find(check(GetFile, body, bad).file_id)
      if (!found) throw bad('wrong file_id or the file is temporarily unavailable')
      if (found.bytes > FILE_MAX) throw bad('file is too big')
      return { file_id: found.id, file_size: found.bytes, file_path: `files/${media.newAddress(found)}` }
    },
  }

  const router = Router()
  router.use(tokenOnly(telegram.token), express.json({ limit: '1mb' }))
  router.post('/:method', media.receive, async (request, response) => {
    const call = methods[String(request.params.method)]
    if (!call) throw refused(404, 'Not Found')
    if (faults.strikes('rateLimited')) throw refused(429, 'Too Many Requests', { retry_after: 1 })
    response.json({ ok: true, result: await call(request) })
  })
  router.use(answerErrors(bad))
  return router
}

/** Both APIs have the bot's token in their path. */
const tokenOnly = (token: string) => (request: Request, _response: Response, next: NextFunction) => {
  if (!request.baseUrl.endsWith(`/bot${token}`)) throw refused(401, 'Unauthorized')
  next()
}

/** `GET /file/bot<token>/files/:address`: the bytes, for a limited time. */
export function botFiles({ telegram, media }: BotParts) {
  const router = Router()
  router.use(tokenOnly(telegram.token))
  router.get('/files/:address', async ({ params }, response) => {
    const found = media.at(String(params.address))
    if (!found)
      return void response.status(404).json({ ok: false, error_code: 404, description: 'Not Found' })
    response.set({ 'content-type': 'application/octet-stream', 'content-length': String(found.bytes) })
    await media.send(found, response)
  })
  router.use(answerErrors(bad))
  return router
}
