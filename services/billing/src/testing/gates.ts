import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serve } from '@voxscribe/service/testing'

/** A call to Stripe. */
export interface Call {
  method: string
  path: string
  body: string
  idempotencyKey: string | undefined
}

/**
 * The fate of a call: it passes, gets a 500 or one of Stripe's errors, is never answered, is executed but cut off
 * before the response (`lost`), waits for a promise, or has its response rewritten.
 */
export type Fate =
  | 'pass'
  | 'error'
  | 'hang'
  | 'lost'
  | StripeAnswer
  | Promise<void>
  | ((answer: string) => string)

export interface StripeAnswer {
  status: number
  error: { type: string; message: string; code?: string; param?: string }
}

const INTERNAL: StripeAnswer = { status: 500, error: { type: 'api_error', message: 'Something went wrong' } }

async function open(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const { url, stop } = await serve((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  return { url, close: stop }
}

/** A proxy between billing and Stripe, which sees every call and decides its fate. */
export async function openCallGate(target: () => string) {
  const gate = { calls: [] as Call[], fate: (_call: Call): Fate => 'pass' }
  const server = await open(async (request, response) => {
    const body = await buffer(request)
    const { method = 'GET', url = '/', headers } = request
    const key = headers['idempotency-key']
    const call = {
      method,
      path: url,
      body: body.toString(),
      idempotencyKey: typeof key === 'string' ? key : undefined,
    }
    gate.calls.push(call)
    const fate = gate.fate(call)
    if (fate === 'hang') return
    const refusal = fate === 'error' ? INTERNAL : fate
    if (typeof refusal === 'object' && 'error' in refusal) {
      response.writeHead(refusal.status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ error: refusal.error }))
    }
    const { connection: _connection, host: _host, 'content-length': _length, ...passed } = headers
    const answer = await fetch(target() + url, {
      method,
      headers: passed as Record<string, string>,
      ...(body.length ? { body: new Uint8Array(body) } : {}),
    })
    const text = await answer.text()
    if (fate === 'lost') return void response.destroy()
    if (fate instanceof Promise) await fate
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(typeof fate === 'function' ? fate(text) : text)
  })
  return Object.assign(gate, server)
}

interface Webhook {
  type: string
  body: string
}

/** A server at the product's public address: keeps Stripe's webhooks, and passes them on when it's open. */
export async function openWebhookGate() {
  const gate = { received: [] as Webhook[], passOn: null as string | null }
  const server = await open(async (request, response) => {
    const body = await buffer(request)
    gate.received.push({ type: JSON.parse(body.toString()).type, body: body.toString() })
    if (!gate.passOn) return void response.end('kept')
    const answer = await fetch(`${gate.passOn}/webhooks/stripe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': String(request.headers['stripe-signature']),
      },
      body: new Uint8Array(body),
    })
    response.writeHead(answer.status).end(await answer.text())
  })
  return Object.assign(gate, server)
}
