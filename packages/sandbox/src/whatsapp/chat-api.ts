import type { EventEmitter } from 'node:events'
import express, { Router } from 'express'
import { z } from 'zod'
import { check, Flag, notFound, PhoneNumber } from '../input.ts'
import type { Deliveries } from '../webhook-delivery.ts'
import type { ChatService } from './chat.ts'
import { type FaultSwitches, WhatsAppFaults } from './faults.ts'
import type { MediaFiles } from './media-files.ts'
import { asOneOf, mimeTypeOf } from './media-kinds.ts'
import type { Message, WhatsAppStore } from './store.ts'
import { verifyCallback, type WhatsAppSettings } from './webhooks.ts'

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
  whatsapp: WhatsAppSettings
  callbackUrl: string
  store: WhatsAppStore
  files: MediaFiles
  faults: FaultSwitches
  chats: ChatService
  deliveries: Deliveries
  changes: EventEmitter
}

/** The chat page's and the tests' HTTP API, below `/api/whatsapp`; described in the README. */
export function chatApi(deps: Deps) {
  const { store, files, faults, chats, deliveries } = deps
  const router = Router()
  router.use(express.json({ limit: '100kb' }))

  router.post('/messages', files.receive, async (request, response) => {
    const { text, kind, voice, mimeType, ...fields } = check(OutgoingFields, request.body)
    if (!request.file) {
      check(z.object({ text: z.string('text or a file is needed').trim().min(1, 'text is empty') }), { text })
      response.status(201).json(asJson(chats.fromPerson({ ...fields, type: 'text', text })))
      return
    }
    const mime = mimeTypeOf(request.file, { mimeType, voice })
    const type = asOneOf(mime, request.file.size, kind ?? (voice ? 'audio' : undefined))
    const media = await files.keep(request.file, mime)
    const fileName = type === 'document' ? request.file.originalname : undefined
    response
      .status(201)
      .json(
        asJson(
          chats.fromPerson({ ...fields, type, text, media, fileName, voice: voice && type === 'audio' }),
        ),
      )
  })

  router.get('/chats', (_request, response) => {
    response.json({ people: store.recentPeople() })
  })
  router.get('/chats/:number', (request, response) => {
    const number = check(PhoneNumber, request.params.number)
    const person = store.person(number)
    response.json({
      number,
      name: person?.name ?? null,
      userId: person?.userId ?? null,
      hideNumber: person?.hidden ?? false,
      typing: chats.isTyping(number),
      messages: store.chat(number).map(asJson),
    })
  })
  router.post('/chats/:number/read', (request, response) => {
    chats.personHasRead(check(PhoneNumber, request.params.number))
    response.status(204).end()
  })
  router.get('/media/:id', (request, response) => {
    const media = store.media(String(request.params.id))
    if (!media) throw notFound('Media')
    // Anything may have been sent: shown or played only as what cannot run in this page.
    const playable = /^(audio|video)\//.test(media.mimeType)
    response.set({
      'content-type': playable ? media.mimeType : 'application/octet-stream',
      'content-disposition': playable ? 'inline' : 'attachment',
      'x-content-type-options': 'nosniff',
    })
    response.sendFile(files.path(media), { acceptRanges: true, cacheControl: false })
  })

  router.get('/status', async (_request, response) => {
    response.json({
      number: deps.whatsapp.number,
      callbackUrl: deps.callbackUrl,
      verification: await verifyCallback(deps.callbackUrl, deps.whatsapp.verifyToken),
    })
  })
  router.get('/faults', (_request, response) => {
    response.json(faults.read())
  })
  router.post('/faults', (request, response) => {
    response.json(faults.change(check(WhatsAppFaults.partial(), request.body)))
  })
  router.get('/webhooks', (_request, response) => {
    response.json({ paused: deliveries.paused().whatsapp, deliveries: deliveries.list('whatsapp') })
  })
  router.post('/webhooks', (request, response) => {
    deliveries.pause('whatsapp', check(z.object({ paused: z.boolean() }), request.body).paused)
    response.json({ paused: deliveries.paused().whatsapp })
  })
  router.post('/webhooks/:id/resend', (request, response) => {
    if (!deliveries.resend(String(request.params.id))) throw notFound('Delivery')
    response.status(202).json({ resent: true })
  })
  router.get('/events', (request, response) => {
    const number = check(PhoneNumber, request.query.number)
    response.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write('retry: 1000\n\n')
    const tell = (changed: string) => changed === number && response.write('data: changed\n\n')
    deps.changes.on('change', tell)
    response.on('close', () => deps.changes.off('change', tell))
  })
  return router

  function asJson(message: Message) {
    const media = message.mediaId ? store.media(message.mediaId) : null
    const quoted = message.quotedId ? store.message(message.quotedId) : null
    return {
      id: message.id,
      direction: message.direction,
      type: message.type,
      text: message.text,
      voice: message.voice,
      file: media && {
        name: message.fileName,
        mimeType: media.mimeType,
        bytes: media.bytes,
        url: `/api/whatsapp/media/${media.id}`,
      },
      quoted: quoted && {
        id: quoted.id,
        direction: quoted.direction,
        type: quoted.type,
        text: quoted.text,
        voice: quoted.voice,
        fileName: quoted.fileName,
      },
      status: message.status,
      problem: message.problem,
      at: new Date(message.at).toISOString(),
    }
  }
}
