import { createHash, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import express, { type NextFunction, type Request, type Response, Router } from 'express'
import { z } from 'zod'
import type { ChatService } from './chat.ts'
import type { FaultSwitches } from './faults.ts'
import { badParameter, badToken, GraphError, noSuchObject, rateLimited, serviceDown } from './graph-errors.ts'
import { MEDIA_LIMITS, type MediaFiles } from './media-files.ts'
import { type BrokenMedia, sendBroken, sendSlowly } from './media-trouble.ts'
import type { WhatsAppStore } from './store.ts'
import type { WhatsAppSettings } from './webhooks.ts'

interface Deps {
  whatsapp: WhatsAppSettings
  store: WhatsAppStore
  files: MediaFiles
  faults: FaultSwitches
  chats: ChatService
}

const messageId = z.string().max(200)
const recipient = {
  messaging_product: z.literal('whatsapp', 'messaging_product must be whatsapp'),
  recipient_type: z.literal('individual').optional(),
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
        preview_url: z.boolean().optional(),
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
  typing_indicator: z.object({ type: z.literal('text') }).optional(),
})

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw badParameter(`${issue?.path.join('.') || 'body'}: ${issue?.message}`)
}

const same = (one: string, other: string) =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

/** The part of Meta's Graph API that a WhatsApp business number uses; mounted below `/vNN.N`. */
export function graphApi(deps: Deps) {
  const { whatsapp, store, files, faults } = deps
  const router = Router()
  router.use(bearerOnly(whatsapp.accessToken))
  router.use((_request, _response, next) => {
    if (faults.strikes('serverError')) throw serviceDown()
    next()
  })
  router.post('/:phoneNumberId/messages', ownNumberOnly, express.json({ limit: '1mb' }), sendOrRead)
  router.post('/:phoneNumberId/media', ownNumberOnly, files.receive, upload)
  router.get('/:mediaId', describeMedia)
  router.use((request: Request) => {
    throw noSuchObject(request.path.split('/')[1] ?? '')
  })
  router.use(answerError)
  return router

  function ownNumberOnly(request: Request, _response: Response, next: NextFunction) {
    if (request.params.phoneNumberId !== whatsapp.phoneNumberId)
      throw noSuchObject(String(request.params.phoneNumberId))
    next()
  }

  function sendOrRead(request: Request, response: Response) {
    if (request.body?.status !== undefined) {
      const read = parse(Read, request.body)
      deps.chats.businessHasRead(read.message_id, Boolean(read.typing_indicator))
      response.json({ success: true })
      return
    }
    if (faults.strikes('rateLimited')) throw rateLimited()
    const { person, message } = deps.chats.fromBusiness(parse(Outgoing, request.body))
    const { to } = request.body
    response.json({
      messaging_product: 'whatsapp',
      contacts: [to ? { input: to, wa_id: person.number } : { input: person.userId, user_id: person.userId }],
      messages: [{ id: message.id }],
    })
  }

  async function upload(request: Request, response: Response) {
    if (request.body?.messaging_product !== 'whatsapp')
      throw badParameter('messaging_product must be whatsapp')
    if (!request.file) throw badParameter('file is required')
    const media = await files.keep(request.file, request.file.mimetype || String(request.body.type))
    response.json({ id: media.id })
  }

  function describeMedia(request: Request, response: Response) {
    const media = store.media(String(request.params.mediaId))
    if (!media) throw noSuchObject(String(request.params.mediaId))
    const origin = `${request.protocol}://${request.get('host')}`
    response.json({
      messaging_product: 'whatsapp',
      url: `${origin}/whatsapp-media/${store.newAddress(media.id)}`,
      mime_type: media.mimeType.split(';')[0],
      sha256: media.sha256,
      file_size: media.bytes,
      id: media.id,
    })
  }
}

/** `GET /whatsapp-media/:token`: the bytes, for five minutes, to who holds the access token. */
export function mediaDownload({ whatsapp, store, files, faults }: Deps) {
  const router = Router()
  router.get('/:token', bearerOnly(whatsapp.accessToken), async (request, response) => {
    const media = store.mediaAt(String(request.params.token))
    if (!media || faults.strikes('mediaMissing')) {
      response.status(404).type('text/plain').send('URL signature expired')
      return
    }
    response.set({ 'content-type': media.mimeType, 'content-length': String(media.bytes) })
    const broken: BrokenMedia = { path: files.path(media), bytes: media.bytes }
    if (faults.strikes('mediaBroken')) await sendBroken(broken, response)
    else if (faults.strikes('mediaSlow')) await sendSlowly(broken, response)
    else await pipeline(createReadStream(files.path(media)), response).catch(() => response.destroy())
  })
  router.use(answerError)
  return router
}

function bearerOnly(accessToken: string) {
  return (request: Request, _response: Response, next: NextFunction) => {
    const given = /^(?:Bearer|OAuth) (.+)$/i.exec(request.get('authorization') ?? '')?.[1]
    if (!given || !same(given, accessToken)) throw badToken()
    next()
  }
}

function answerError(error: unknown, _request: Request, response: Response, next: NextFunction) {
  if (response.headersSent) return next(error)
  const answer = asGraphError(error)
  if (!answer) return next(error)
  response.status(answer.status).json(answer.body())
}

function asGraphError(error: unknown) {
  if (error instanceof GraphError) return error
  if (!(error instanceof Error)) return null
  if ('code' in error && error.code === 'LIMIT_FILE_SIZE')
    return badParameter(`file must be at most ${MEDIA_LIMITS.document} bytes`)
  if (error.name === 'MulterError' || ('type' in error && String(error.type).startsWith('entity')))
    return badParameter(error.message)
  return null
}
