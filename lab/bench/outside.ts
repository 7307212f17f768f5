import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WHATSAPP, webhookOf } from '../../e2e/testing/webhook.ts'

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
    settings: { ...WHATSAPP, WHATSAPP_GRAPH_URL: base },
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

/** Returns the webhook of a voice note with the message's id. */
export function noteWebhook(from: string, mediaId: string) {
  const id = `wamid.${mediaId}`
  const audio = { mime_type: 'audio/ogg; codecs=opus', id: mediaId, voice: true }
  return { id, webhook: webhookOf({ from, id, type: 'audio', audio }) }
}

/** Sends a webhook about a voice note and returns the message's id once it was taken. */
export async function sendNote(appUrl: string, from: string, mediaId: string): Promise<string> {
  const { id, webhook } = noteWebhook(from, mediaId)
  const response = await fetch(`${appUrl}/webhooks/whatsapp`, { method: 'POST', ...webhook })
  if (!response.ok) throw new Error(`The webhook was answered with ${response.status}`)
  return id
}
