import { createHash, timingSafeEqual } from 'node:crypto'
import express, { type NextFunction, type Request, type Response, Router } from 'express'
import { z } from 'zod'
import type { ChatService } from './chat.ts'
import type { WhatsAppFaults } from './faults.ts'
import { badParameter, badToken, GraphError, noSuchObject, rateLimited, serviceDown } from './graph-errors.ts'
import { MEDIA_LIMITS, type MediaStore } from './media-store.ts'
import type { WhatsAppSettings } from './webhooks.ts'

interface Deps {
  whatsapp: WhatsAppSettings
  media: MediaStore
  faults: WhatsAppFaults
  chats: ChatService
}

const messageId = z.string().max(200)
const recipient = {
  messaging_product: z.literal('whatsapp', 'messaging_product must be whatsapp'),
  to: z.string().max(30).optional(),
  recipient: z.string().max(150).optional(),
  context: z.object({ message_id: messageId }).optional(),
}
const Outgoing = z.discriminatedUnion(
  'type',
  [
    z.object({
      ...recipient,
      type: z.literal('text'),
      text: z.object({
        body: z.string('text.body is required').min(1, 'text.body must not be empty').max(4096, {
          error: 'text.body must be at most 4096 characters long',
        }),
      }),
    }),
    z.object({
      ...recipient,
      type: z.literal('document'),
      document: z.object({
        id: z.string('document.id is required').max(40),
        filename: z.string().max(240).optional(),
        caption: z.string().max(1024, 'document.caption must be at most 1024 characters long').optional(),
      }),
    }),
  ],
  { error: 'type must be one of text, document' },
)
const Read = z.object({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: messageId,
})

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw badParameter(`${issue?.path.join('.') || 'body'}: ${issue?.message}`)
}

/** The part of Meta's Graph API that a WhatsApp business number uses; mounted below `/vNN.N`. */
export function graphApi({ whatsapp, media, faults, chats }: Deps) {
  const router = Router()
  router.use(bearerOnly(whatsapp.accessToken))
  router.use((_request, _response, next) => {
    if (faults.strikes('badToken')) throw badToken()
    if (faults.strikes('serverError')) throw serviceDown()
    if (!faults.strikes('hang')) next()
  })
  router.post('/:phoneNumberId/messages', ownNumberOnly, express.json({ limit: '1mb' }), sendOrRead)
  router.post('/:phoneNumberId/media', ownNumberOnly, media.receive, upload)
  router.get('/:mediaId', describeMedia)
  router.use((request: Request) => {
    throw noSuchObject(request.path.split('/')[1] ?? '')
  })
  router.use(answerError)
  return router

  function ownNumberOnly({ params }: Request, _response: Response, next: NextFunction) {
    if (params.phoneNumberId !== whatsapp.phoneNumberId) throw noSuchObject(String(params.phoneNumberId))
    next()
  }

  function sendOrRead({ body }: Request, response: Response) {
    if (body?.status !== undefined) {
      chats.businessHasRead(parse(Read, body).message_id)
      response.json({ success: true })
      return
    }
    if (faults.strikes('rateLimited')) throw rateLimited()
    const { person, message } = chats.fromBusiness(parse(Outgoing, body))
    const { to } = body
    response.json({
      messaging_product: 'whatsapp',
      contacts: [to ? { input: to, wa_id: person.number } : { input: person.userId, user_id: person.userId }],
      messages: [{ id: message.id }],
    })
  }

  async function upload({ body, file }: Request, response: Response) {
    if (body?.messaging_product !== 'whatsapp') throw badParameter('messaging_product must be whatsapp')
    if (!file) throw badParameter('file is required')
    response.json({ id: (await media.keep(file, file.mimetype)).id })
  }

  function describeMedia(request: Request, response: Response) {
    const id = String(request.params.mediaId)
    const found = media.find(id)
    if (!found) throw noSuchObject(id)
    response.json({
      messaging_product: 'whatsapp',
      url: `${request.protocol}://${request.get('host')}/whatsapp-media/${media.newAddress(found)}`,
      mime_type: found.mimeType.split(';')[0],
      sha256: found.sha256,
      file_size: found.bytes,
      id,
    })
  }
}

/** `GET /whatsapp-media/:token`: the bytes, for five minutes, to holders of the access token. */
export function mediaDownload({ whatsapp, media, faults }: Deps) {
  const router = Router()
  router.get('/:token', bearerOnly(whatsapp.accessToken), async (request, response) => {
    const found = media.at(String(request.params.token))
    if (!found || faults.strikes('mediaMissing')) {
      response.status(404).type('text/plain').send('URL signature expired')
      return
    }
    response.set({ 'content-type': found.mimeType, 'content-length': String(found.bytes) })
    await media.send(found, response, faults.strikes('mediaBroken'))
  })
  router.use(answerError)
  return router
}

function bearerOnly(accessToken: string) {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return (request: Request, _response: Response, next: NextFunction) => {
    const [, given = ''] = /^(?:Bearer|OAuth) (.+)$/i.exec(request.get('authorization') ?? '') ?? []
    if (!timingSafeEqual(hash(given), hash(accessToken))) throw badToken()
    next()
  }
}

const RETRY_AFTER_SECONDS = '2'

function answerError(error: unknown, _request: Request, response: Response, next: NextFunction) {
  const answer = asGraphError(error)
  if (response.headersSent || !answer) return next(error)
  if (answer.status === 429) response.set('retry-after', RETRY_AFTER_SECONDS)
  response.status(answer.status).json(answer.body())
}

function asGraphError(error: unknown) {
  if (error instanceof GraphError) return error
  if (!(error instanceof Error)) return null
  if ('code' in error && error.code === 'LIMIT_FILE_SIZE')
    return badParameter(`file must be at most ${MEDIA_LIMITS.document} bytes`)
  const unreadable = error.name === 'MulterError' || ('status' in error && Number(error.status) < 500)
  return unreadable ? badParameter(error.message) : null
}
