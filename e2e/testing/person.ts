import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { api, Composed, DataOf, Transcription } from '@voxscribe/contracts/http'
import axios, { type AxiosInstance, type AxiosResponse } from 'axios'
import { eventually } from './eventually.ts'
import { type System, TIMEOUT_MS } from './system.ts'

/** Addresses of a running system. */
export type Reached = Pick<System, 'appUrl' | 'sandboxUrl' | 'ingestionMetricsUrls'>

export interface ChatMessage {
  id: string
  /** Id of the business's number, if it has several. */
  numberId?: string
  direction: 'in' | 'out'
  type: string
  text: string | null
  quoted: { id: string } | null
  buttons: { id: string; title: string }[]
  file: { name: string; url: string } | null
}

export interface NoteOptions {
  kind?: 'audio' | 'video' | 'document'
  voice?: boolean
  /** Number of times that the webhook is sent, with the same message id. */
  repeat?: number
  mimeType?: string
  /** The business's number; default: its first. */
  to?: string
}

interface Upload {
  name?: string
  title?: string
  key?: string
}

interface SentMail {
  subject: string
  text: string
  links: string[]
}

export type Person = Awaited<ReturnType<typeof signUp>>

let numbers = 0

/** Returns a well-formed number that no other person of this run has. */
export const newNumber = () => `212555${String(numbers++).padStart(4, '0')}`

/** Signs up a person with API and chat (sandbox), only through public interfaces. */
export async function signUp(system: Reached) {
  const open = axios.create({
    baseURL: `${system.appUrl}/api`,
    validateStatus: () => true,
    timeout: TIMEOUT_MS,
  })
  const email = `${randomUUID()}@example.com`
  const password = 'correct horse battery'
  const before = await newsOfSignUps(system)
  const { body, national } = await registered(open, email, password)
  // A note may arrive before the event about its sender, who then gets one more message.
  const isHeard = async () => (await newsOfSignUps(system)) > before
  await eventually('ingestion has heard of the sign-up', isHeard)
  const number = `1${national}`
  const http = axios.create({
    baseURL: `${system.appUrl}/api`,
    validateStatus: () => true,
    timeout: TIMEOUT_MS,
    headers: { authorization: `Bearer ${body.accessToken}` },
  })
  // Cases count only their own notes.
  await http.delete('/transcriptions/sample-en')
  const chat = chatOf(system, number)
  const transcriptions = async (query = {}) =>
    (await http.get('/transcriptions', { params: query })).data.data as DataOf<typeof api.transcriptions>
  const plan = async () =>
    (await http.get('/stripe/subscription-status')).data.data as DataOf<typeof api.subscriptionStatus>
  return {
    ...body,
    email,
    password,
    number,
    http,
    open,
    ...chat,
    transcriptions,
    plan,
    /** Uploads a file, by default under its own name. */
    async upload(path: string, { name = basename(path), title, key }: Upload = {}): Promise<AxiosResponse> {
      const form = new FormData()
      if (title) form.append('title', title)
      form.append('file', await openAsBlob(path), name)
      return http.post('/transcriptions', form, { headers: key ? { 'idempotency-key': key } : {} })
    },
    /** Pays for a month and waits for the plan. Returns the subscription's id. */
    async pay(): Promise<string> {
      const order = await http.post('/stripe/create-checkout-session', { planType: 'monthly' })
      const stripe = `${system.sandboxUrl}/api/stripe`
      await axios.post(`${stripe}/checkout/${order.data.data.sessionId}/pay`)
      await eventually('the plan is paid', async () => (await plan()).plan === 'monthly')
      const { data } = await axios.get(`${stripe}/subscriptions`)
      return data.subscriptions[0].id
    },
    /** Waits until minutes are used. */
    charged: () =>
      eventually('minutes are charged', async () => {
        const now = await plan()
        return now.used_minutes > 0 && now
      }),
    mail: (subject: RegExp): Promise<SentMail> =>
      eventually(`a mail about ${subject}`, async () => {
        const { data } = await axios.get(`${system.sandboxUrl}/api/mail`, { params: { to: email } })
        return (data.mails as SentMail[]).find(mail => subject.test(mail.subject)) ?? null
      }),
    /** Waits until `count` notes have ended. Returns all ended notes, newest first. */
    ended: (count: number): Promise<Transcription[]> =>
      eventually(`${count} notes have ended`, async () => {
        const list = (await transcriptions({ limit: 100 })).transcriptions
        const ended = list.filter(note => note.status !== 'processing')
        if (ended.length < count) throw new Error(`of ${list.length} notes ${ended.length} have ended`)
        return ended
      }),
    replies: (count: number): Promise<ChatMessage[]> =>
      eventually(`${count} replies in the chat`, async () => {
        const replies = (await chat.messages()).filter(message => message.direction === 'in')
        if (replies.length < count) throw new Error(`there are ${replies.length}`)
        return replies
      }),
  }
}

/** Returns the number of sign-ups that ingestion has handled since its start. */
async function newsOfSignUps({ ingestionMetricsUrls }: Reached): Promise<number> {
  const metrics = await Promise.all(
    ingestionMetricsUrls.map(url => axios.get<string>(url, { timeout: TIMEOUT_MS })),
  )
  const counts = metrics
    .map(({ data }) => data)
    .join('\n')
    .matchAll(/^bus_message_duration_seconds_count\{[^}]*queue="ingestion\.user-registered"[^}]*\} (\d+)$/gm)
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

async function registered(open: AxiosInstance, email: string, password: string) {
  const national = newNumber()
  const { status, data } = await open.post('/auth/register', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email,
    wtp_number: national,
    password,
    country_id: '840',
  })
  if (status !== 201) throw new Error(`register answered ${status}: ${JSON.stringify(data)}`)
  return { body: data.data as Composed['register'], national }
}

/** Opens the sandbox's chat of a number, or of a Telegram user. */
export function chatOf(
  system: Pick<Reached, 'sandboxUrl'>,
  number: string,
  messenger: 'whatsapp' | 'telegram' = 'whatsapp',
) {
  const http = axios.create({ baseURL: `${system.sandboxUrl}/api/${messenger}`, timeout: TIMEOUT_MS })
  const messages = async (): Promise<ChatMessage[]> => (await http.get(`/chats/${number}`)).data.messages
  return {
    messages,
    /** Waits for the reply that quotes a message. */
    replyTo: ({ id }: { id: string }): Promise<ChatMessage> =>
      eventually(`a reply to ${id}`, async () => {
        const replies = (await messages()).filter(({ direction }) => direction === 'in')
        return replies.find(({ quoted }) => quoted?.id === id) ?? null
      }),
    /** Waits for a reply that matches the words. */
    told: (words: RegExp): Promise<ChatMessage> =>
      eventually(`the chat says ${words}`, async () => {
        const answers = (await messages()).filter(({ direction }) => direction === 'in')
        return answers.find(({ text }) => words.test(text ?? '')) ?? null
      }),
    async sendNote(
      path: string,
      { kind, voice = false, repeat, mimeType, to }: NoteOptions = {},
    ): Promise<ChatMessage> {
      const form = new FormData()
      form.append('from', number)
      if (to) form.append('to', to)
      if (kind) form.append('kind', kind)
      if (voice) form.append('voice', 'true')
      if (repeat) form.append('repeat', String(repeat))
      if (mimeType) form.append('mimeType', mimeType)
      form.append('file', await openAsBlob(path, mimeType ? { type: mimeType } : {}), basename(path))
      return (await http.post('/messages', form)).data
    },
    /** `replyTo`: id of the message to quote. */
    sendText: async (text: string, replyTo?: string): Promise<ChatMessage> =>
      (await http.post('/messages', { from: number, text, replyTo })).data,
    press: async (button: string, { id: replyTo }: { id: string }): Promise<ChatMessage> =>
      (await http.post('/messages', { from: number, button, replyTo })).data,
    fileOf: async ({ file }: ChatMessage): Promise<Buffer> =>
      (await http.get(new URL(file?.url ?? '', system.sandboxUrl).href, { responseType: 'arraybuffer' }))
        .data,
    /** Sets whether WhatsApp refuses texts, as it does 24 hours after the last message; for everyone in the sandbox. */
    close: (isClosed: boolean) => http.post('/faults', { window: isClosed ? 'refused' : 'real' }),
  }
}
