import { Router } from 'express'
import { z } from 'zod'
import { check, Flag, notFound, PhoneNumber } from '../input.ts'
import type { Deliveries } from '../webhook-delivery.ts'
import type { ChatService } from './chat.ts'
import type { WhatsAppFaults } from './faults.ts'
import { asOneOf, mimeTypeOf } from './media-kinds.ts'
import { type MediaStore, mediaUrl } from './media-store.ts'
import type { Message, WhatsAppStore } from './store.ts'

const OutgoingFields = z.object({
  from: PhoneNumber,
  name: z.string().trim().max(100).optional(),
  hideNumber: Flag.optional(),
  text: z.string().max(4096, 'A message holds at most 4096 characters').optional(),
  /** The id of a message to quote. */
  replyTo: z.string().max(200).optional(),
  /** How often the webhook comes, with the same message id. */
  repeat: z.coerce.number().int().min(1).max(20).default(1),
  kind: z.enum(['audio', 'document', 'video', 'image']).optional(),
  voice: Flag.default(false),
  /** The file's type, where the multipart part cannot say it (parameters such as `codecs=opus`). */
  mimeType: z.string().max(100).optional(),
})

interface Deps {
  store: WhatsAppStore
  media: MediaStore
  faults: WhatsAppFaults
  chats: ChatService
  deliveries: Deliveries
}

/** The chat page's and the tests' HTTP API, below `/api/whatsapp`; described in the README. */
export function chatApi({ store, media, faults, chats, deliveries }: Deps) {
  const router = Router()

  router.post('/messages', media.receive, async (request, response) => {
    const { text, kind, voice, mimeType, ...fields } = check(OutgoingFields, request.body)
    if (!request.file) {
      check(z.object({ text: z.string('text or a file is needed').trim().min(1, 'text is empty') }), { text })
      response.status(201).json(asJson(chats.fromPerson({ ...fields, type: 'text', text })))
      return
    }
    const mime = mimeTypeOf(request.file, { mimeType, voice })
    const type = asOneOf(mime, request.file.size, kind ?? (voice ? 'audio' : undefined))
    const sent = chats.fromPerson({
      ...fields,
      type,
      text,
      media: await media.keep(request.file, mime),
      fileName: type === 'document' ? request.file.originalname : null,
      voice: voice && type === 'audio',
    })
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
    // The content is untrusted: it is served only in forms that cannot run in this page.
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

  function asJson(message: Message) {
    const { id, direction, type, text, voice, status, problem, fileName: name } = message
    const file = message.media && {
      name,
      mimeType: message.media.mimeType,
      bytes: message.media.bytes,
      url: mediaUrl(message.media),
    }
    const quoted = store.message(message.quotedId)
    const at = new Date(message.at).toISOString()
    return { id, direction, type, text, voice, file, quoted, status, problem, at }
  }
}
