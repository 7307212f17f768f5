import { createHmac } from 'node:crypto'
import {
  isSame,
  keepRawBody,
  numberIdsOf,
  refusal,
  refuseOtherMethods,
  timedWebhook,
} from '@voxscribe/service'
import type { Express } from 'express'
import { rawBodyOf, type WebhookDeps } from './requests.ts'
import { readPayload } from './whatsapp-payload.ts'

/** `GET` and `POST /webhooks/whatsapp`: Meta's verification of the address, and its messages. */
export function mountWhatsApp(
  app: Express,
  { settings, accept, reportFailure, reportSeen, log }: WebhookDeps,
): void {
  const numberIds = numberIdsOf(settings)
  app.get('/webhooks/whatsapp', (request, response) => {
    const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = request.query
    const isOurs = mode === 'subscribe' && isSame(String(token), settings.WHATSAPP_VERIFY_TOKEN)
    response.type('text/plain')
    if (isOurs) response.send(String(challenge ?? ''))
    else response.status(403).send('Forbidden')
  })

  app.post('/webhooks/whatsapp', timedWebhook('whatsapp'), keepRawBody, async (request, response) => {
    const body = rawBodyOf(request)
    const digest = createHmac('sha256', settings.WHATSAPP_APP_SECRET).update(body).digest('hex')
    if (!isSame(request.get('x-hub-signature-256') ?? '', `sha256=${digest}`)) throw refusal('unauthorized')
    const { messages, failed, seen, skipped } = readPayload(body, numberIds)
    if (skipped.length) log.warn({ skipped }, 'a WhatsApp webhook had parts that are not understood')
    // If a write fails, the response is 5xx and WhatsApp redelivers everything; written messages are then recognized.
    for (const message of messages) await accept(message)
    for (const id of seen) await reportSeen('whatsapp', id)
    for (const message of failed) await reportFailure('whatsapp', message)
    response.type('text/plain').send('OK')
  })
  refuseOtherMethods(app, '/webhooks/whatsapp', ['GET', 'POST'])
}
