import { createHmac } from 'node:crypto'
import { parse } from 'node:querystring'
import { isSame, keepRawBody, refusal, refuseOtherMethods, timedWebhook } from '@voxscribe/service'
import type { Express } from 'express'
import { z } from 'zod'
import type { InboundMessage } from '../senders/inbound.ts'
import { hasNoSound, nameFor } from '../senders/inbound.ts'
import { rawBodyOf, type WebhookDeps } from './requests.ts'

/** A form; a repeated name holds a list. */
type Form = Record<string, string | string[]>

/** Twilio sends about thirty. Parsing 4 MB of them would take half a minute, before the signature is checked. */
const PARAMETERS_MAX = 1_000

const EMPTY = '<?xml version="1.0" encoding="UTF-8"?><Response/>'

/** `POST /webhooks/twilio`, if Twilio is configured. */
export function mountTwilio(app: Express, { settings, accept, reportFailure, log }: WebhookDeps): void {
  const { TWILIO_AUTH_TOKEN: token, PUBLIC_URL: publicUrl } = settings
  if (!token) return
  app.post('/webhooks/twilio', timedWebhook('twilio'), keepRawBody, async (request, response) => {
    const signature = request.get('x-twilio-signature')
    if (!signature) throw refusal('signature_missing')
    const params = parse(rawBodyOf(request).toString(), '&', '=', { maxKeys: PARAMETERS_MAX }) as Form
    // Twilio signs the public address, which only the outermost proxy sees.
    if (!isTwilioSignature(token, signature, publicUrl + request.originalUrl, params)) {
      throw refusal('signature_wrong')
    }
    const status = Status.safeParse(params).data
    const message = status ? undefined : readForm(params)
    if (status && FAILED.includes(status.MessageStatus)) {
      await reportFailure('twilio', { id: status.MessageSid, code: status.ErrorCode })
    } else if (message) await accept(message)
    else if (!status && /^whatsapp:/.test(String(params.From)) && !ADDRESS.test(String(params.From))) {
      // Twilio alerts its owner, and retries if set up to: no message is dropped silently.
      log.error('a WhatsApp message by Twilio has a sender of an unknown form')
      throw refusal('sender_unreadable')
    } else if (!status) log.warn('a Twilio webhook was not a WhatsApp message')
    response.type('text/xml').send(EMPTY)
  })
  refuseOtherMethods(app, '/webhooks/twilio', ['POST'])
}

/** A status callback for one of our messages; `received` is for incoming ones. */
const Status = z.object({
  MessageSid: z.string().min(1).max(100),
  MessageStatus: z.string().refine(status => status !== 'received'),
  ErrorCode: z.string().default(''),
})
const FAILED = ['undelivered', 'failed']

/** A number, or the user id of a person who hides it: country, dot, letters and digits, in some cases another dot. */
const ADDRESS = /^(?:whatsapp:)?(?:\+(?<phone>\d{5,15})|(?<userId>[A-Z]{2}\.[A-Za-z\d.]{1,135}))$/

const Message = z.object({
  MessageSid: z.string().min(1).max(100),
  From: z.string().startsWith('whatsapp:').regex(ADDRESS),
  ExternalUserId: z.string().regex(ADDRESS).optional().catch(undefined),
  Body: z.string().default(''),
  OriginalRepliedMessageSid: z.string().min(1).max(100).optional().catch(undefined),
  OriginalRepliedMessageSender: z.string().optional().catch(undefined),
  Forwarded: z.string().optional().catch(undefined),
  FrequentlyForwarded: z.string().optional().catch(undefined),
  NumMedia: z.coerce.number().pipe(z.int().min(0).max(20)).default(0),
})

function readForm(params: Form): InboundMessage | undefined {
  const form = Message.safeParse(params)
  if (!form.success) return undefined
  const {
    MessageSid: id,
    From: from,
    ExternalUserId: external = '',
    Body: body,
    NumMedia: count,
    OriginalRepliedMessageSid: quoted,
    OriginalRepliedMessageSender: quotedSender,
    Forwarded: forwarded,
    FrequentlyForwarded: frequently,
  } = form.data
  const { phone = null, userId = ADDRESS.exec(external)?.groups?.userId ?? null } =
    ADDRESS.exec(from)?.groups ?? {}
  const sender = { channel: 'twilio' as const, phone, messengerId: userId }
  const all = Array.from({ length: count }, (_, index) => mediaOf(params, index))
  const media = all.filter(found => found !== undefined)
  const mimes = all.map((_, index) => String(params[`MediaContentType${index}`] ?? ''))
  const isPlace = !count && Boolean(params.Latitude)
  // Stickers are WebP, and ask for nothing.
  const isSoundless = isPlace || (mimes.every(hasNoSound) && mimes.some(mime => mime !== 'image/webp'))
  return {
    id,
    sender,
    text: body || null,
    media,
    ...(quoted && { quoted }),
    ...(quotedSender === from && { quotesOwn: true }),
    ...([forwarded, frequently].includes('true') && { isForwarded: true }),
    ...(isSoundless && { isSoundless }),
  }
}

function mediaOf(params: Form, index: number) {
  const providerMediaId = String(params[`MediaUrl${index}`] ?? '')
  const mime = String(params[`MediaContentType${index}`] ?? '')
  // As with WhatsApp's own API, types that are never notes only get a reply; another document may be anything.
  if (!providerMediaId || hasNoSound(mime)) return undefined
  const what = mime.startsWith('video/') ? 'Video' : 'Audio'
  return { providerMediaId, sha256: null, fileName: nameFor(what, new Date(), mime) }
}

/** Returns `X-Twilio-Signature`: over the address and the sorted parameters (twilio.com/docs/usage/security). */
export function twilioSignature(token: string, url: string, form: Form): string {
  const fields = Object.keys(form)
    .sort()
    .map(name => [...new Set([form[name]!].flat())].sort().map(value => name + value))
  return createHmac('sha1', token)
    .update(url + fields.flat().join(''), 'utf8')
    .digest('base64')
}

/** Checks a signature; Twilio signs the address with or without the standard port. */
export function isTwilioSignature(token: string, given: string, url: string, form: Form): boolean {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  const standard = protocol === 'https:' ? '443' : '80'
  const withPort = `${protocol}//${hostname}:${port || standard}${pathname}${search}`
  const withoutPort = `${protocol}//${hostname}${pathname}${search}`
  const addresses = [url, withPort, withoutPort]
  return addresses.some(address => isSame(given, twilioSignature(token, address, form)))
}
