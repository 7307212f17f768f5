import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { startTestSandbox } from '@voxscribe/sandbox/testing'
import { startOneProcess } from './one-process.ts'

const WHATSAPP = { number: '15550783881', phoneNumberId: '1', accessToken: 'token', appSecret: 'secret' }

export interface Answered {
  from: string
  /** 0: the connection broke. */
  status: number
  ms: number
  /** Whether it said when to come again. */
  comesAgain: boolean
}

/** The product in one process, and a WhatsApp stand-in that delivers texts of strangers as fast as asked. */
export async function startFlood() {
  const sandbox = await startTestSandbox({ whatsapp: WHATSAPP })
  const system = await startOneProcess({
    WHATSAPP_NUMBER: WHATSAPP.number,
    WHATSAPP_PHONE_NUMBER_ID: WHATSAPP.phoneNumberId,
    WHATSAPP_ACCESS_TOKEN: WHATSAPP.accessToken,
    WHATSAPP_APP_SECRET: WHATSAPP.appSecret,
    WHATSAPP_VERIFY_TOKEN: 'verify',
    WHATSAPP_GRAPH_URL: sandbox.origin,
    LOG_LEVEL: 'warn',
  })
  const { hostname, port } = new URL(system.appUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 512 })
  let people = 0

  return {
    system,
    /** Delivers a text of a new stranger; each is answered with the sign-up link. */
    send(): Promise<Answered> {
      const from = `1650${String(5_550_000 + people++).padStart(7, '0')}`
      const body = textFrom(from)
      const signature = createHmac('sha256', WHATSAPP.appSecret).update(body).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
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
    /** Numbers that have their answer in the chat. */
    answered: () =>
      new Set(sandbox.calls.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body?.to)),
    async stop() {
      agent.destroy()
      await system.remove()
      await sandbox.stop()
    },
  }
}

function textFrom(from: string): string {
  const id = `wamid.${randomUUID()}`
  const message = { from, id, timestamp: '1739321024', type: 'text', text: { body: 'Hi' } }
  const metadata = { display_phone_number: WHATSAPP.number, phone_number_id: WHATSAPP.phoneNumberId }
  const value = { messaging_product: 'whatsapp', metadata, contacts: [], messages: [message] }
  const entry = [{ id: '1', changes: [{ field: 'messages', value }] }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry })
}
