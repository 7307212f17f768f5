import express, { type NextFunction, type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { answerErrors, check, hasBearer } from '../input.ts'
import { FromBusiness, messageId, type WhatsAppParts } from './chat.ts'
import { badParameter, badToken, noSuchObject, rateLimited } from './graph-errors.ts'
import { numbersOf } from './webhooks.ts'

const Read = z.object({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: messageId,
})

const worded = (message: string, field: string) => badParameter(`${field || 'body'}: ${message}`)

/** The part of Meta's Graph API that a WhatsApp business number uses; mounted below `/vNN.N`. */
export function graphApi({ whatsapp, media, faults, chats }: WhatsAppParts) {
  const router = Router()
  const numbers = numbersOf(whatsapp)
  router.use(bearerOnly(whatsapp.accessToken))
  router.post('/:phoneNumberId/messages', ownNumberOnly, express.json({ limit: '1mb' }), sendOrRead)
  router.post('/:phoneNumberId/media', ownNumberOnly, media.receive, upload)
  router.get('/:id', describe)
  router.use((request: Request) => {
    throw noSuchObject(request.path.split('/')[1] ?? '')
  })
  router.use(answerErrors(badParameter))
  return router

  function ownNumberOnly({ params }: Request, _response: Response, next: NextFunction) {
    if (!numbers.has(String(params.phoneNumberId))) throw noSuchObject(String(params.phoneNumberId))
    next()
  }

  function sendOrRead({ body, params }: Request, response: Response) {
    if (body?.status !== undefined) {
      chats.businessHasRead(check(Read, body, worded).message_id)
      response.json({ success: true })
      return
    }
    if (faults.strikes('rateLimited')) throw rateLimited()
    const { person, message } = chats.fromBusiness(
      check(FromBusiness, body, worded),
      String(params.phoneNumberId),
    )
    const { to } = body
    response.json({
      messaging_product: 'whatsapp',
      contacts: [to ? { input: to, wa_id: person.id } : { input: person.userId, user_id: person.userId }],
      messages: [{ id: message.id }],
    })
  }

  async function upload({ body, file }: Request, response: Response) {
    if (body?.messaging_product !== 'whatsapp') throw badParameter('messaging_product must be whatsapp')
    if (!file) throw badParameter('file is required')
    response.json({ id: (await media.keep(file, file.mimetype)).id })
  }

  function describe(request: Request, response: Response) {
    const id = String(request.params.id)
    const number = numbers.get(id)
    if (number) {
      response.json({ display_phone_number: `+${number}`, id })
      return
    }
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

/** `GET /whatsapp-media/:token`: the bytes, for five minutes and with the access token. */
export function mediaDownload({ whatsapp, media }: WhatsAppParts) {
  const router = Router()
  router.get('/:token', bearerOnly(whatsapp.accessToken), async (request, response) => {
    const found = media.at(String(request.params.token))
    if (!found) {
      response.status(404).type('text/plain').send('URL signature expired')
      return
    }
    response.set({ 'content-type': found.mimeType, 'content-length': String(found.bytes) })
    await media.send(found, response)
  })
  router.use(answerErrors(badParameter))
  return router
}

const bearerOnly = (accessToken: string) => (request: Request, _response: Response, next: NextFunction) => {
  if (!hasBearer(request, accessToken)) throw badToken()
  next()
}
