import { setTimeout as wait } from 'node:timers/promises'
import { counter, type Logger, numberIdsOf } from '@voxscribe/service'
import type { AxiosInstance, AxiosResponse } from 'axios'
import { z } from 'zod'
import type { NotificationSettings } from '../settings.ts'
import {
  type ChatChannel,
  type ChatMessage,
  type Choices,
  inOneLine,
  mimeOf,
  type SendResult,
  withBelow,
} from './chat.ts'
import { openProvider } from './provider.ts'

type GraphSettings = Pick<
  NotificationSettings,
  'WHATSAPP_GRAPH_URL' | 'WHATSAPP_GRAPH_VERSION' | 'WHATSAPP_ACCESS_TOKEN'
>

/** Opens Meta's Graph API. Its errors are distinguished by code, not by status. */
export const openGraph = (settings: GraphSettings, timeout: number): AxiosInstance =>
  openProvider(
    {
      baseURL: `${settings.WHATSAPP_GRAPH_URL}/${settings.WHATSAPP_GRAPH_VERSION}`,
      headers: { authorization: `Bearer ${settings.WHATSAPP_ACCESS_TOKEN}` },
    },
    timeout,
  )

/** The id of a sent message, or of an uploaded file. */
const Taken = z.union([
  z
    .object({ messages: z.tuple([z.object({ id: z.string() })], z.unknown()) })
    .transform(it => it.messages[0].id),
  z.object({ id: z.string() }).transform(({ id }) => id),
])
const Failed = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().default(''),
    error_data: z.object({ details: z.string() }).partial().optional(),
  }),
})

/** Meta's error codes (developers.facebook.com, WhatsApp "Error codes") for messages that can never be sent. */
const REFUSED = new Set([
  33, // our number was deleted
  100, // a parameter is wrong
  131_008, // a parameter is missing
  131_009, // a parameter's value is wrong
  131_026, // the person cannot be reached
  131_047, // they haven't written for 24 hours: only templates may be sent
  131_051, // WhatsApp doesn't know the type of message
  131_052,
  131_053, // the file was not accepted
])
/** Nothing can be sent until an operator acts. The bus retries as long as for other codes. */
const ALARM = new Set([
  0, // the token could not be checked
  10, // no permission
  190, // the token is wrong or has expired
  368, // blocked for a breach of the rules
  131_031, // the account is locked
  131_042, // Meta cannot charge the account
  131_048, // too many people blocked or reported us
])
/** Meta has a hundred codes for missing permissions; their alarms are counted as one. */
const PERMISSIONS = '200-299'
/** Templates that don't exist, are paused, or take other values: 132000 to 132999. */
const isTemplateCode = (code: number) => code >= 132_000 && code < 133_000
/** Possible codes if the quoted message no longer exists, or the buttons aren't accepted. */
const UNFIT_CODES = ['100', '131008', '131009', '131051']

export const alarms = counter({
  name: 'whatsapp_alarms_total',
  help: 'Calls and messages that WhatsApp refuses until an operator acts, by error code',
  labelNames: ['code'],
})

/** Longest text that the Cloud API accepts, and longest text above buttons. */
const MAX_LENGTH = 4096
const MAX_ABOVE_BUTTONS = 1024

const asText = (body: string) => ({ type: 'text', text: { preview_url: false, body } })
const asButtons = (text: string, { buttons }: Choices) => ({
  type: 'interactive',
  interactive: {
    type: 'button',
    body: { text },
    action: { buttons: buttons.map(reply => ({ type: 'reply', reply })) },
  },
})

/** WhatsApp's Cloud API. */
export function openWhatsApp(settings: NotificationSettings, log: Logger): ChatChannel {
  const api = openGraph(settings, settings.CHAT_TIMEOUT)
  const numbers = numberIdsOf(settings)
  const paces = new Map(numbers.map(id => [id, createPace(settings.WHATSAPP_MESSAGES_PER_SECOND)]))
  /** Returns our number that sends a message: the one that was written to, if it's still ours. */
  const numberOf = ({ numberId = '' }: { numberId?: string | undefined }) =>
    paces.has(numberId) ? numberId : numbers[0]!
  // Starts at 0: Prometheus sees no increase in a series that first appears as 1, so its alert wouldn't fire.
  for (const code of [...ALARM, PERMISSIONS]) alarms.inc({ code }, 0)
  const post = (number: string, content: object) =>
    api.post(`/${number}/messages`, { messaging_product: 'whatsapp', ...content })

  async function upload(
    number: string,
    { name, content }: NonNullable<ChatMessage['file']>,
  ): Promise<SendResult> {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('type', mimeOf(name))
    form.set('file', new Blob([new Uint8Array(Buffer.from(content))], { type: mimeOf(name) }), name)
    return readSent(await api.post(`/${number}/media`, form), log)
  }

  /** Returns the best form of a message, followed by simpler ones to try if that is refused. */
  function contentsOf(message: ChatMessage, fileId: string | undefined): object[] {
    const { text, file, choices, asTemplate } = message
    if (asTemplate) {
      const [name, code] = settings.WHATSAPP_TEMPLATE?.split(':') ?? []
      const body = { type: 'body', parameters: [{ type: 'text', text: inOneLine(text) }] }
      return [{ type: 'template', template: { name, language: { code }, components: [body] } }]
    }
    const plain = withBelow(text, choices?.inWords)
    if (fileId) return [{ type: 'document', document: { id: fileId, filename: file?.name, caption: plain } }]
    const question = withBelow(text, choices?.question)
    return choices && question.length <= MAX_ABOVE_BUTTONS
      ? [asButtons(question, choices), asText(plain)]
      : [asText(plain)]
  }

  async function send(message: ChatMessage): Promise<SendResult> {
    const { address, quote, file } = message
    const number = numberOf(message)
    const uploaded = file && (await upload(number, file))
    if (uploaded?.outcome === 'refused') return uploaded
    const recipient = {
      recipient_type: 'individual',
      // A person with a hidden number is addressed by user id (`US.1349…`).
      [/^\d+$/.test(address) ? 'to' : 'recipient']: address,
    }
    const contents = contentsOf(message, uploaded?.id)
    const context = { message_id: quote }
    const quoting = quote ? contents.map(content => ({ ...content, context })) : contents
    // The quoted message may have been deleted; the reply matters more than the quote.
    const ways = [...quoting, ...(quote ? contents.slice(-1) : [])]
    let result: SendResult
    do {
      await paces.get(number)?.()
      result = readSent(await post(number, { ...recipient, ...ways.shift() }), log)
    } while (ways.length && result.outcome === 'refused' && UNFIT_CODES.includes(result.code))
    return result
  }

  return {
    maxLength: MAX_LENGTH,
    hasTemplate: settings.WHATSAPP_TEMPLATE !== undefined,
    send,
    countFailure: code => {
      if (ALARM.has(Number(code))) alarms.inc({ code })
    },
    markRead: async (source, isTyping) => {
      const typing = isTyping && { typing_indicator: { type: 'text' } }
      const read = { status: 'read', message_id: source.messageId, ...typing }
      const { status } = await post(numberOf(source), read)
      if (status >= 400) throw new Error(`WhatsApp answered ${status}`)
    },
  }
}

/** Limits calls to this many per second, one after another. */
function createPace(perSecond: number) {
  let next = 0
  return async () => {
    const now = performance.now()
    const turn = Math.max(now, next)
    next = turn + 1000 / perSecond
    if (turn > now) await wait(turn - now)
  }
}

function readSent(answer: AxiosResponse, log: Logger): SendResult {
  const taken = Taken.safeParse(answer.data)
  if (answer.status < 300 && taken.success) return { outcome: 'sent', id: taken.data }
  const failed = Failed.safeParse(answer.data)
  if (!failed.success) throw new Error(`WhatsApp answered ${answer.status} in an unknown form`)
  const { code, message: summary, error_data } = failed.data.error
  const message = error_data?.details ? `${summary}: ${error_data.details}` : summary
  if (REFUSED.has(code) || isTemplateCode(code)) return { outcome: 'refused', code: String(code), message }
  const isPermission = code >= 200 && code <= 299
  if (isPermission || ALARM.has(code)) {
    alarms.inc({ code: isPermission ? PERMISSIONS : code })
    log.error(
      { code, message },
      'WhatsApp rejects our calls; nothing can be sent until its settings are fixed',
    )
  }
  throw new Error(`WhatsApp answered ${answer.status}, code ${code}: ${message}`)
}
