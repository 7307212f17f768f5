import { Router } from 'express'
import { z } from 'zod'
import { badInput, check, Flag, notFound, PhoneNumber } from '../input.ts'
import type { Deliveries } from '../webhook-delivery.ts'
import { asOneOf, mimeTypeOf } from './media-kinds.ts'
import type { MediaStore } from './media-store.ts'
import type { ChatStore, Message } from './store.ts'

/** The sender of a message, and the delivery of its webhook. */
export const Writing = z.object({
  from: PhoneNumber,
  name: z.string().trim().max(100).optional(),
  hideNumber: Flag.optional(),
  /** The business's number; default: its first. */
  to: z.union([z.literal(''), PhoneNumber]).optional(),
  /** The id of a message to quote. */
  replyTo: z.string().max(200).optional(),
  /** How often the webhook is sent, with the same message id. */
  repeat: z.coerce.number().int().min(1).max(20).default(1),
})

const Content = z.object({
  text: z.string().trim().max(4096, 'A message holds at most 4096 characters').default(''),
  kind: z.enum(['audio', 'document', 'video', 'image']).optional(),
  voice: Flag.default(false),
  /** The id of the pressed button, in the message `replyTo`. */
  button: z.string().max(256).optional(),
  /** The file's type if the multipart part can't express it (parameters such as `codecs=opus`). */
  mimeType: z.string().max(100).optional(),
})

interface Messenger {
  store: ChatStore
  media: MediaStore
  faults: { api: Router }
  chats: {
    fromPerson(writing: z.output<typeof Writing>, message: Pick<Message, 'type'> & Partial<Message>): Message
    personHasRead(number: string): void
  }
}

/** HTTP API for the chat page and tests, below `/api/whatsapp` and `/api/telegram`; described in the README. */
export function chatApi({ store, media, faults, chats }: Messenger, deliveries: Deliveries) {
  const router = Router()

  router.post('/messages', media.receive, async (request, response) => {
    const writing = check(Writing, request.body)
    const { text: typed, button, ...given } = check(Content, request.body)
    const pressed = store.message(writing.replyTo ?? null)?.buttons?.find(({ id }) => id === button)
    if (button && !pressed) throw badInput('replyTo has no such button', 'button')
    const text = pressed?.title ?? typed
    if (!request.file && !text) throw badInput('text or a file is needed', 'text')
    const attached = request.file ? await received(request.file, given) : { type: 'text' as const }
    const sent = chats.fromPerson(writing, { ...attached, text: text || null, pressed })
    response.status(201).json(asJson(sent))
  })

  router.get('/chats/:number', (request, response) => {
    const number = check(PhoneNumber, request.params.number)
    const person = store.person(number)
    response.json({
      number,
      name: person?.name ?? null,
      userId: person?.userId ?? null,
      hideNumber: person?.hidden ?? false,
      messages: store.chat(number).map(asJson),
    })
  })
  router.post('/chats/:number/read', (request, response) => {
    chats.personHasRead(check(PhoneNumber, request.params.number))
    response.status(204).end()
  })
  router.get('/media/:id', (request, response) => {
    const found = media.find(String(request.params.id))
    if (!found) throw notFound('Media')
    // The content is untrusted, so it's served only in forms that can't run in this page.
    const playable = /^(audio|video)\//.test(found.mimeType)
    response.set({
      'content-type': playable ? found.mimeType : 'application/octet-stream',
      'content-disposition': playable ? 'inline' : 'attachment',
      'x-content-type-options': 'nosniff',
    })
    response.sendFile(found.id, { root: media.folder, cacheControl: false })
  })

  router.use('/faults', faults.api)
  router.use('/webhooks', deliveries.api)
  return router

  async function received(
    file: Express.Multer.File,
    { kind, voice, mimeType }: Omit<z.output<typeof Content>, 'text'>,
  ) {
    const mime = mimeTypeOf(file, { mimeType, voice })
    const type = asOneOf(mime, file.size, kind ?? (voice ? 'audio' : undefined))
    const fileName = type === 'document' ? file.originalname : null
    return { type, media: await media.keep(file, mime), fileName, voice: voice && type === 'audio' }
  }

  function asJson(message: Message) {
    const { id, numberId, direction, type, text, voice, status, problem, fileName: name } = message
    const file = message.media && {
      name,
      mimeType: message.media.mimeType,
      bytes: message.media.bytes,
      url: media.urlOf(message.media),
    }
    const quoted = store.message(message.quotedId)
    const at = new Date(message.at).toISOString()
    const { buttons = [] } = message
    return { id, numberId, direction, type, text, buttons, voice, file, quoted, status, problem, at }
  }
}
