import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { startTestSandbox } from '@voxscribe/sandbox/testing'
import { startOneProcess } from './one-process.ts'
import { WHATSAPP, webhookOf } from './webhook.ts'

export interface Answered {
  from: string
  /** 0 if the connection broke. */
  status: number
  ms: number
  /** Whether the answer had a Retry-After. */
  comesAgain: boolean
}

/** Starts the product in one process, and a WhatsApp stand-in that delivers texts of strangers as fast as requested. */
export async function startFlood() {
  const sandbox = await startTestSandbox({
    whatsapp: {
      number: WHATSAPP.WHATSAPP_NUMBER,
      phoneNumberId: WHATSAPP.WHATSAPP_PHONE_NUMBER_ID,
      accessToken: WHATSAPP.WHATSAPP_ACCESS_TOKEN,
      appSecret: WHATSAPP.WHATSAPP_APP_SECRET,
    },
  })
  const system = await startOneProcess({ ...WHATSAPP, WHATSAPP_GRAPH_URL: sandbox.origin, LOG_LEVEL: 'warn' })
  const { hostname, port } = new URL(system.appUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 512 })
  let people = 0

  return {
    system,
    /** Delivers a text from a new stranger, each of whom is answered with the sign-up link. */
    send(): Promise<Answered> {
      const from = `1650${String(5_550_000 + people++).padStart(7, '0')}`
      const id = `wamid.${randomUUID()}`
      const { body, headers } = webhookOf({ from, id, type: 'text', text: { body: 'Hi' } })
      const started = performance.now()
      return new Promise(resolve => {
        const ended = (status: number, comesAgain = false) =>
          resolve({ from, status, ms: performance.now() - started, comesAgain })
        const call = request({ hostname, port, agent, method: 'POST', path: '/webhooks/whatsapp', headers })
        call.on('response', response => {
          response.resume()
          const comesAgain = response.headers['retry-after'] !== undefined
          response.on('end', () => ended(response.statusCode ?? 0, comesAgain))
        })
        call.on('error', () => ended(0))
        call.end(body)
      })
    },
    /** Returns the numbers that have got their answer in the chat. */
    answered: () =>
      new Set(sandbox.calls.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body?.to)),
    async stop() {
      agent.destroy()
      await system.remove()
      await sandbox.stop()
    },
  }
}
