import type { Logger } from '@voxscribe/service'
import axios, { type AxiosInstance } from 'axios'
import { z } from 'zod'
import type { NotificationSettings } from '../settings.ts'
import type { ChatChannel, Delivery } from './chat.ts'

type AccountSettings = Pick<
  NotificationSettings,
  'TWILIO_API_URL' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN'
>

const Sent = z.object({ sid: z.string() })
const Failed = z.object({ code: z.number(), message: z.string().default('') })

/** Twilio refuses a longer body with error 21617. */
const MAX_LENGTH = 1600

/** Refusals that no repetition changes (twilio.com/docs/api/errors). */
const REFUSED = new Set([
  21_211, // the number is wrong
  21_408, // not allowed to send to that country
  21_610, // the person has opted out
  21_614, // the number cannot receive
  21_617, // too long
  63_003, // the person is not on WhatsApp
  63_016, // they have not written for 24 hours: only templates may be sent
  63_019, // the file was not taken
  63_024, // not a valid recipient
])
/** Nothing can be sent until an operator acts: credentials, or the account itself. */
const ALARM = new Set([20_003, 20_005])

/** Twilio's API below the account. */
export const openTwilioAccount = (settings: AccountSettings, timeout: number): AxiosInstance => {
  const { TWILIO_ACCOUNT_SID: username = '', TWILIO_AUTH_TOKEN: password = '' } = settings
  return axios.create({
    baseURL: `${settings.TWILIO_API_URL}/2010-04-01/Accounts/${username}`,
    auth: { username, password },
    timeout,
    maxRedirects: 0,
    validateStatus: () => true,
  })
}

/** WhatsApp by way of Twilio. It cannot quote. `publish`: returns an address at which Twilio can fetch a file. */
export function openTwilio(
  settings: NotificationSettings,
  publish: (fileName: string, content: string) => Promise<string>,
  log: Logger,
): ChatChannel {
  const api = openTwilioAccount(settings, settings.CHAT_TIMEOUT)
  const from = `whatsapp:+${settings.TWILIO_WHATSAPP_NUMBER?.replace('+', '')}`
  const StatusCallback = `${settings.PUBLIC_URL}/webhooks/twilio`
  async function send(address: string, content: { Body: string; MediaUrl?: string }): Promise<Delivery> {
    const body = new URLSearchParams({ From: from, To: `whatsapp:+${address}`, ...content, StatusCallback })
    const answer = await api.post('/Messages.json', body)
    const sent = Sent.safeParse(answer.data)
    if (answer.status < 300 && sent.success) return { outcome: 'sent', id: sent.data.sid }
    const failed = Failed.safeParse(answer.data)
    if (!failed.success) throw new Error(`Twilio answered ${answer.status} in an unknown form`)
    const { code, message } = failed.data
    if (REFUSED.has(code)) return { outcome: 'refused', code: String(code), message }
    if (ALARM.has(code)) {
      log.error({ code, message }, 'Twilio takes nothing from us until its settings are put right')
    }
    throw new Error(`Twilio answered ${answer.status}, code ${code}: ${message}`)
  }

  return {
    maxLength: MAX_LENGTH,
    sendText: ({ address, text }) => send(address, { Body: text }),
    sendDocument: async ({ address, fileName, content, caption }) =>
      send(address, { Body: caption, MediaUrl: await publish(fileName, content) }),
  }
}
