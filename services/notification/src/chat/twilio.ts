import { type Documents, type Logger, newSecret, schemaOf } from '@voxscribe/service'
import type { AxiosInstance } from 'axios'
import type { Express } from 'express'
import { z } from 'zod'
import type { NotificationSettings } from '../settings.ts'
import { type ChatChannel, type ChatMessage, inOneLine, mimeOf, withBelow } from './chat.ts'
import { openProvider } from './provider.ts'

type AccountSettings = Pick<
  NotificationSettings,
  'TWILIO_API_URL' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN'
>

const Sent = z.object({ sid: z.string() })
const Failed = z.object({ code: z.number(), message: z.string().default('') })

/** Twilio refuses a longer body with error 21617. */
const MAX_LENGTH = 1600

/** Refusals that a retry doesn't change (twilio.com/docs/api/errors). */
const REFUSED = new Set([
  21_211, // the number is wrong
  21_408, // not allowed to send to that country
  21_610, // the person has opted out
  21_614, // the number cannot receive
  21_617, // too long
  63_003, // the person is not on WhatsApp
  63_016, // they haven't written for 24 hours: only templates may be sent
  63_019, // the file was not accepted
  63_024, // not a valid recipient
  21_656, // the template's values are invalid
  63_027, // there is no such template
  63_028, // the template takes other values
])
/** Nothing can be sent until an operator fixes the credentials or the account. */
const ALARM = new Set([20_003, 20_005])

/** Opens Twilio's API for the account. */
export function openTwilioAccount(settings: AccountSettings, timeout: number): AxiosInstance {
  const { TWILIO_ACCOUNT_SID: username = '', TWILIO_AUTH_TOKEN: password = '' } = settings
  const baseURL = `${settings.TWILIO_API_URL}/2010-04-01/Accounts/${username}`
  return openProvider({ baseURL, auth: { username, password } }, timeout)
}

/** A file that Twilio fetches, because it accepts no uploads. */
const TwilioDocument = z.object({
  /** 256 random bits: whoever has the address can read the file. */
  _id: z.string(),
  fileName: z.string(),
  /** Base64. */
  content: z.string(),
  expiresAt: z.date(),
})
const documentSchema = schemaOf(TwilioDocument).index({ expiresAt: 1 }, { expireAfterSeconds: 0 })
/** Twilio fetches files at once, unless its queue is long. */
const LIFE_MS = 3_600_000
const PATH = '/webhooks/twilio-documents'

/**
 * WhatsApp through Twilio, which can't quote, nor show buttons without a template. `mount`: serves it files for an
 * hour.
 */
export function openTwilio(
  settings: NotificationSettings,
  documents: Pick<Documents, 'model'>,
  log: Logger,
): ChatChannel & { mount(app: Express): void } {
  const files = documents.model('twilio_documents', documentSchema, {
    owner: null,
    because: 'gone within the hour',
  })
  const api = openTwilioAccount(settings, settings.CHAT_TIMEOUT)
  const From = `whatsapp:+${settings.TWILIO_WHATSAPP_NUMBER?.replace('+', '')}`
  const StatusCallback = `${settings.PUBLIC_URL}/webhooks/twilio`

  async function publish({ name, content }: NonNullable<ChatMessage['file']>): Promise<string> {
    const _id = newSecret()
    const base64 = Buffer.from(content).toString('base64')
    await files.create({ _id, fileName: name, content: base64, expiresAt: new Date(Date.now() + LIFE_MS) })
    return `${settings.PUBLIC_URL}${PATH}/${_id}`
  }

  return {
    maxLength: MAX_LENGTH,
    hasTemplate: settings.TWILIO_TEMPLATE !== undefined,
    async send(chatMessage) {
      const { address, text, file, asTemplate } = chatMessage
      const content: Record<string, string> = asTemplate
        ? {
            ContentSid: settings.TWILIO_TEMPLATE ?? '',
            ContentVariables: JSON.stringify({ 1: inOneLine(text) }),
          }
        : {
            Body: withBelow(text, chatMessage.choices?.inWords),
            ...(file && { MediaUrl: await publish(file) }),
          }
      // A person with a hidden number is addressed by user id (`US.1349…`).
      const To = `whatsapp:${/^\d+$/.test(address) ? '+' : ''}${address}`
      const body = new URLSearchParams({ From, To, ...content, StatusCallback })
      const answer = await api.post('/Messages.json', body)
      const sent = Sent.safeParse(answer.data)
      if (answer.status < 300 && sent.success) return { outcome: 'sent', id: sent.data.sid }
      const failed = Failed.safeParse(answer.data)
      if (!failed.success) throw new Error(`Twilio answered ${answer.status} in an unknown form`)
      const { code, message } = failed.data
      if (REFUSED.has(code)) return { outcome: 'refused', code: String(code), message }
      if (ALARM.has(code)) {
        log.error(
          { code, message },
          'Twilio rejects our credentials; nothing can be sent until they are fixed',
        )
      }
      throw new Error(`Twilio answered ${answer.status}, code ${code}: ${message}`)
    },
    mount(app) {
      app.get(`${PATH}/:token`, async (request, response, next) => {
        const file = await files.findOne({ _id: request.params.token, expiresAt: { $gt: new Date() } }).lean()
        if (!file) return next()
        response.set('cache-control', 'private, no-store').attachment(file.fileName)
        response.type(mimeOf(file.fileName)).send(Buffer.from(file.content, 'base64'))
      })
    },
  }
}
