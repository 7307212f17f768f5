import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** WhatsApp's settings, for the stand-in and the product. */
const ACCOUNT = {
  WHATSAPP_NUMBER: '15550783881',
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_ACCESS_TOKEN: 'bench-access-token',
  WHATSAPP_APP_SECRET: 'bench-app-secret',
  WHATSAPP_VERIFY_TOKEN: 'bench-verify-token',
}

export type Graph = Awaited<ReturnType<typeof startGraph>>

/** The notice of a long wait, before the answer. */
const WAIT = /^I(?: have your note\.|’m working on it\.)/

/**
 * The least of WhatsApp's Graph API that a note needs: its file, and where its answer goes. The sandbox keeps chats and
 * shows pages, which would be measured with the system.
 */
export async function startGraph() {
  const files = new Map<string, Buffer>()
  const answers = new Map<string, PromiseWithResolvers<void>>()
  let base = ''
  let held: PromiseWithResolvers<void> | undefined
  const answerTo = (messageId: string) => {
    if (!answers.has(messageId)) answers.set(messageId, Promise.withResolvers())
    return answers.get(messageId)!
  }

  async function reply(request: IncomingMessage): Promise<object | Buffer> {
    const id = request.url?.split('/').at(-1) ?? ''
    if (request.method === 'POST') {
      const sent = JSON.parse(Buffer.concat(await request.toArray()).toString())
      if (sent.type === 'text' && !WAIT.test(sent.text.body)) answerTo(sent.context?.message_id).resolve()
      return { messaging_product: 'whatsapp', messages: [{ id: `wamid.${randomUUID()}` }], success: true }
    }
    await held?.promise
    const file = files.get(id)
    if (!file) throw new Error(`There is no medium ${id}`)
    if (request.url?.startsWith('/files/')) return file
    return { id, url: `${base}/files/${id}`, mime_type: 'audio/ogg', file_size: file.length }
  }

  const server = createServer((request, response) => {
    reply(request).then(
      body => response.end(body instanceof Buffer ? body : JSON.stringify(body)),
      error => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: base,
    settings: { ...ACCOUNT, WHATSAPP_GRAPH_URL: base },
    /** Keeps a file as a medium; each is another file, so that none is known already. Returns the medium's id. */
    keep(file: Buffer): string {
      const id = randomUUID()
      files.set(id, Buffer.concat([file, Buffer.from(id)]))
      return id
    },
    /** Resolves once a text has been sent that quotes the message. */
    answered: (messageId: string): Promise<void> => answerTo(messageId).promise,
    /** Holds downloads until it is released. */
    hold: () => {
      held = Promise.withResolvers()
    },
    letGo: () => held?.resolve(),
    stop: async () => {
      held?.resolve()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A webhook about a voice note, as Meta words and signs it. Returns the message's id and what to send. */
export function noteWebhook(from: string, mediaId: string) {
  const messageId = `wamid.${mediaId}`
  const audio = { mime_type: 'audio/ogg; codecs=opus', id: mediaId, voice: true }
  const timestamp = String(Math.floor(Date.now() / 1000))
  const value = {
    messaging_product: 'whatsapp',
    metadata: {
      display_phone_number: ACCOUNT.WHATSAPP_NUMBER,
      phone_number_id: ACCOUNT.WHATSAPP_PHONE_NUMBER_ID,
    },
    contacts: [{ profile: { name: 'Ada' }, wa_id: from }],
    messages: [{ from, id: messageId, timestamp, type: 'audio', audio }],
  }
  const entry = [{ id: '102290129340398', changes: [{ field: 'messages', value }] }]
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
  const digest = createHmac('sha256', ACCOUNT.WHATSAPP_APP_SECRET).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` }
  return { messageId, body, headers }
}

/** Sends a webhook about a voice note and returns the message's id once it was taken. */
export async function sendNote(appUrl: string, from: string, mediaId: string): Promise<string> {
  const { messageId, body, headers } = noteWebhook(from, mediaId)
  const response = await fetch(`${appUrl}/webhooks/whatsapp`, { method: 'POST', body, headers })
  if (!response.ok) throw new Error(`The webhook was answered with ${response.status}`)
  return messageId
}
