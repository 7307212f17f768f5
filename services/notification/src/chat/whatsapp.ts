import { counter, type Logger } from '@voxscribe/service'
import axios, { type AxiosInstance, type AxiosResponse } from 'axios'
import { z } from 'zod'
import type { NotificationSettings } from '../settings.ts'
import type { ChatChannel, ChatDocument, ChatMessage, Delivery } from './chat.ts'
import { ALARM, alarmOf, isParameterProblem, meaningOf } from './whatsapp-errors.ts'

type GraphSettings = Pick<
  NotificationSettings,
  'WHATSAPP_GRAPH_URL' | 'WHATSAPP_GRAPH_VERSION' | 'WHATSAPP_ACCESS_TOKEN'
>

/** Meta's Graph API. Errors are distinguished by its code, not by the status. */
export const openGraph = (settings: GraphSettings, timeout: number): AxiosInstance =>
  axios.create({
    baseURL: `${settings.WHATSAPP_GRAPH_URL}/${settings.WHATSAPP_GRAPH_VERSION}`,
    headers: { authorization: `Bearer ${settings.WHATSAPP_ACCESS_TOKEN}` },
    timeout,
    maxRedirects: 0,
    validateStatus: () => true,
  })

const Sent = z.object({ messages: z.array(z.object({ id: z.string() })).min(1) })
const Uploaded = z.object({ id: z.string() })
const Failed = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().default(''),
    error_data: z.object({ details: z.string() }).partial().optional(),
  }),
})

const alarms = counter({
  name: 'whatsapp_alarms_total',
  help: 'Calls that WhatsApp refuses until an operator acts, by error code',
  labelNames: ['code'],
})

/** The longest text that the Cloud API takes. */
const MAX_LENGTH = 4096

/** WhatsApp's Cloud API. */
export function openWhatsApp(settings: NotificationSettings, log: Logger): ChatChannel {
  const api = openGraph(settings, settings.CHAT_TIMEOUT)
  const path = `/${settings.WHATSAPP_PHONE_NUMBER_ID}`
  // From 0 on: what first appears as 1 is no increase to Prometheus, and its alert would stay silent.
  for (const code of new Set([...ALARM, 200].map(alarmOf))) alarms.inc({ code }, 0)
  const post = (content: object) =>
    api.post(`${path}/messages`, { messaging_product: 'whatsapp', ...content })

  async function send(message: Omit<ChatMessage, 'text'>, content: object): Promise<Delivery> {
    const to = recipientOf(message.address)
    const quoted = message.quote ? { context: { message_id: message.quote } } : {}
    const answer = await post({ ...to, ...quoted, ...content })
    const delivery = readDelivery(answer, log)
    // The quoted message may have been deleted meanwhile; the answer is worth more than the quote.
    if (message.quote && delivery.outcome === 'refused' && isParameterProblem(Number(delivery.code))) {
      return readDelivery(await post({ ...to, ...content }), log)
    }
    return delivery
  }

  return {
    maxLength: MAX_LENGTH,
    sendText: message => send(message, { type: 'text', text: { preview_url: false, body: message.text } }),
    sendDocument: async document => {
      const id = await upload(api, `${path}/media`, document, log)
      if (typeof id !== 'string') return id
      const { fileName: filename, caption } = document
      return send(document, { type: 'document', document: { id, filename, caption } })
    },
    markRead: async message_id => {
      const { status } = await post({ status: 'read', message_id })
      if (status >= 400) throw new Error(`WhatsApp answered ${status}`)
    },
  }
}

/** A person who hides their number is addressed by their user id (`US.1349…`). */
const recipientOf = (address: string) =>
  /^\d+$/.test(address)
    ? { recipient_type: 'individual', to: address }
    : { recipient_type: 'individual', recipient: address }

async function upload(
  api: AxiosInstance,
  path: string,
  document: ChatDocument,
  log: Logger,
): Promise<string | Delivery> {
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('type', 'text/plain')
  form.set('file', new Blob([document.content], { type: 'text/plain' }), document.fileName)
  const answer = await api.post(path, form)
  const uploaded = Uploaded.safeParse(answer.data)
  return answer.status < 300 && uploaded.success ? uploaded.data.id : failure(answer, log)
}

function readDelivery(answer: AxiosResponse, log: Logger): Delivery {
  const sent = Sent.safeParse(answer.data)
  if (answer.status < 300 && sent.success) return { outcome: 'sent', id: sent.data.messages[0]?.id ?? '' }
  return failure(answer, log)
}

function failure(answer: AxiosResponse, log: Logger): Delivery {
  const failed = Failed.safeParse(answer.data)
  if (!failed.success) throw new Error(`WhatsApp answered ${answer.status} in an unknown form`)
  const { code, message, error_data } = failed.data.error
  const text = error_data?.details ? `${message}: ${error_data.details}` : message
  const meaning = meaningOf(code)
  if (meaning === 'refused') return { outcome: 'refused', code: String(code), message: text }
  if (meaning === 'alarm') {
    alarms.inc({ code: alarmOf(code) })
    log.error({ code, message: text }, 'WhatsApp takes nothing from us until its settings are put right')
  }
  throw new Error(`WhatsApp answered ${answer.status}, code ${code}: ${text}`)
}
