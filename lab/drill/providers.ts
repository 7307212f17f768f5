import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { WHATSAPP } from '@voxscribe/e2e/testing/webhook.ts'
import { serve } from '@voxscribe/messaging/testing'
import type { ProviderRoute, Way } from './plan.ts'

/** A message that WhatsApp accepted from the product. */
export interface SentMessage {
  at: number
  to: string
  text: string
  quoted: string | null
  /** Whether the product got the OK. */
  isAnswered: boolean
}

/** A call that the speech service processed and would bill. */
export interface SpeechCall {
  /** Appears in the call's text. */
  number: number
  /** Idempotency key: the same for the same piece of work. */
  key: string
  startedAt: number
  endedAt: number
}

const SPEECH_MS = 300

/**
 * Starts stand-ins for WhatsApp and the speech service, which keep ledgers outside the system. Each of their endpoints
 * can be made to misbehave.
 */
export async function startProviders() {
  const files = new Map<string, Buffer>()
  const sent: SentMessage[] = []
  const calls: SpeechCall[] = []
  const ways = new Map<ProviderRoute, Way>()

  const server = await serve((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const { url } = server

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', url).pathname
    const body = await buffer(request)
    if (path === '/v1/audio/transcriptions')
      return behind('speech', response, () => recognise(request, response))
    if (path === `/v26.0/${WHATSAPP.WHATSAPP_PHONE_NUMBER_ID}/messages`) {
      const message = JSON.parse(body.toString())
      if (message.status === 'read') return json(response, 200, { success: true })
      return behind('send', response, () => take(message, response))
    }
    const [, kind, id = ''] = /^\/(v26\.0|files)\/([\w.-]+)$/.exec(path) ?? []
    const file = files.get(id)
    if (!file) return json(response, 404, { error: { code: 100, message: 'unknown' } })
    return behind('media', response, async () => {
      if (kind === 'files') response.writeHead(200, { 'content-length': file.length }).end(file)
      else json(response, 200, { url: `${url}/files/${id}`, file_size: file.length, id })
    })
  }

  /** Handles a request, unless its endpoint is set to misbehave. */
  async function behind(
    route: ProviderRoute,
    response: ServerResponse,
    work: () => Promise<void>,
  ): Promise<void> {
    const way = ways.get(route)
    if (!way) return work()
    if (way === 'hang') return
    if (way === 'break') return void response.destroy()
    if (way === 'lost') {
      // Later writes are discarded.
      response.destroy()
      return work()
    }
    if (way === 'garbage') return void response.writeHead(502).end('<html>Bad gateway')
    if (way === '500') return json(response, 500, { error: { code: 1, message: 'internal error' } })
    response.setHeader('retry-after', '1')
    json(response, 429, { error: { code: 130429, type: 'requests', message: 'too many requests' } })
  }

  async function recognise({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const call: SpeechCall = {
      number: calls.length,
      key: String(headers['idempotency-key']),
      startedAt: Date.now(),
      endedAt: Number.POSITIVE_INFINITY,
    }
    calls.push(call)
    await wait(SPEECH_MS)
    call.endedAt = Date.now()
    json(response, 200, {
      text: `This was heard in call number ${call.number}.`,
      usage: { type: 'duration', seconds: 2 },
    })
  }

  async function take(
    message: { to: string; text: { body: string }; context?: { message_id: string } },
    response: ServerResponse,
  ): Promise<void> {
    const id = `wamid.out.${sent.length}`
    sent.push({
      at: Date.now(),
      to: message.to,
      text: message.text.body,
      quoted: message.context?.message_id ?? null,
      isAnswered: !response.destroyed,
    })
    json(response, 200, { messaging_product: 'whatsapp', messages: [{ id }] })
  }

  return {
    url,
    files,
    sent,
    calls,
    misbehave: (route: ProviderRoute, way: Way) => ways.set(route, way),
    behave: (route: ProviderRoute) => ways.delete(route),
    stop: server.stop,
  }
}
export type Providers = Awaited<ReturnType<typeof startProviders>>

function json(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
