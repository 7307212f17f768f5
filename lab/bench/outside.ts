import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { serve } from '@voxscribe/messaging/testing'
import { WHATSAPP, webhookOf } from '../../e2e/testing/webhook.ts'

export type Graph = Awaited<ReturnType<typeof startGraph>>

/** Matches the notice of a long wait, which precedes the answer. */
const WAIT = /^I(?: have your note\.|’m working on it\.)/

/**
 * Starts the smallest part of WhatsApp's Graph API that a note needs: its file, and the address for its answer. The
 * sandbox also keeps chats and shows pages, whose cost would be measured with the system.
 */
export async function startGraph() {
  const files = new Map<string, Buffer>()
  const answers = new Map<string, PromiseWithResolvers<void>>()
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
    return { id, url: `${server.url}/files/${id}`, mime_type: 'audio/ogg', file_size: file.length }
  }

  const server = await serve((request, response) => {
    reply(request).then(
      body => response.end(body instanceof Buffer ? body : JSON.stringify(body)),
      error => response.writeHead(500).end(String(error)),
    )
  })

  return {
    url: server.url,
    settings: { ...WHATSAPP, WHATSAPP_GRAPH_URL: server.url },
    /** Stores a file as a medium and returns the medium's id. Makes each file unique, so that none is already known. */
    keep(file: Buffer): string {
      const id = randomUUID()
      files.set(id, Buffer.concat([file, Buffer.from(id)]))
      return id
    },
    /** Resolves once a text that quotes the message has been sent. */
    answered: (messageId: string): Promise<void> => answerTo(messageId).promise,
    /** Holds downloads until `letGo`. */
    hold: () => {
      held = Promise.withResolvers()
    },
    letGo: () => held?.resolve(),
    stop: async () => {
      held?.resolve()
      await server.stop()
    },
  }
}

/** Returns the webhook of a voice note with the message's id. */
export function noteWebhook(from: string, mediaId: string) {
  const id = `wamid.${mediaId}`
  const audio = { mime_type: 'audio/ogg; codecs=opus', id: mediaId, voice: true }
  return { id, webhook: webhookOf({ from, id, type: 'audio', audio }) }
}

/** Sends a webhook about a voice note. Returns the message's id once the webhook is accepted. */
export async function sendNote(appUrl: string, from: string, mediaId: string): Promise<string> {
  const { id, webhook } = noteWebhook(from, mediaId)
  const response = await fetch(`${appUrl}/webhooks/whatsapp`, { method: 'POST', ...webhook })
  if (!response.ok) throw new Error(`The webhook was answered with ${response.status}`)
  return id
}
