import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import axios from 'axios'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { randomFrom } from './testing/random.ts'
import { running, type System } from './testing/system.ts'
import { twilioSignature, UNREACHED_TWILIO } from './testing/twilio.ts'
import { WHATSAPP, webhookOf } from './testing/webhook.ts'

// Sends each route with a body requests that stop at each word boundary of their body, over raw connections.

/** How a body stops. */
type Way =
  // The request is complete: its length is that of the part.
  | 'complete'
  // Chunked, without the last chunk.
  | 'chunked'
  // The sender half-closes or resets the connection, although more was announced.
  | 'ended'
  | 'gone'
const WAYS: Way[] = ['complete', 'chunked', 'ended', 'gone']

interface BodyRoute {
  path: string
  /** Default: the product's. */
  origin?: string
  method?: string
  headers?: Record<string, string>
  body: string
  /** Headers of a body that stops. */
  sign?: (part: string) => Record<string, string>
  /** Checks the response to a complete request with a truncated body. */
  check?: (status: number, body: string) => void
}

const SEED = Number(process.env.E2E_SEED ?? 2611)
/** Random cuts for each way other than `complete`. */
const RANDOM_CUTS = 40
const AT_ONCE = 8

function formOf(fields: Record<string, string>) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--X\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = '--X\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--X--\r\n'
  return { headers: { 'content-type': 'multipart/form-data; boundary=X' }, body: parts.join('') + file }
}

let system: System
let routes: Record<string, BodyRoute>
beforeAll(async () => {
  const secret = { WHATSAPP_APP_SECRET: WHATSAPP.WHATSAPP_APP_SECRET }
  system = await startOneProcess({ ...secret, ...UNREACHED_TWILIO, RATE_LIMITS: 'off' })
  const person = await signUp(system)
  const made = await person.http.post('/keys', { name: 'cut', scopes: ['read', 'write'] })
  const key = { authorization: `Bearer ${made.data.data.secret}` }
  const token = { authorization: `Bearer ${person.accessToken}` }
  const json = { 'content-type': 'application/json' }
  const text = { from: person.number, id: 'wamid.CUT', type: 'text', text: { body: 'help' } }
  const call = { name: 'list_transcripts', arguments: { limit: 3 } }
  const twilioForm = `MessageSid=SM1&From=whatsapp%3A%2B${person.number}&Body=help&NumMedia=0`
  routes = {
    'the API': {
      path: '/api/auth/login',
      headers: json,
      body: JSON.stringify({ email: person.email, password: person.password }),
    },
    'an upload': {
      path: '/api/transcriptions',
      ...formOf({ title: 'A title', language: 'en' }),
      headers: { ...formOf({}).headers, ...token },
      check: status => expect([400, 415]).toContain(status),
    },
    '/v1': {
      path: '/v1/audio/transcriptions',
      ...formOf({ model: 'whisper-1', response_format: 'json' }),
      headers: { ...formOf({}).headers, ...key },
      check: (status, body) => {
        const { type } = JSON.parse(body).error
        // Checking a key times out after three seconds, and a busy machine may take longer.
        expect([`400 invalid_request_error`, `415 invalid_request_error`, `503 server_error`]).toContain(
          `${status} ${type}`,
        )
      },
    },
    WhatsApp: {
      path: '/webhooks/whatsapp',
      headers: json,
      body: webhookOf(text).body,
      sign: part => ({
        'x-hub-signature-256': `sha256=${createHmac('sha256', WHATSAPP.WHATSAPP_APP_SECRET).update(part).digest('hex')}`,
      }),
    },
    Twilio: {
      path: '/webhooks/twilio',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: twilioForm,
      sign: part => twilioSignature(system.appUrl, part),
    },
    Stripe: {
      path: '/webhooks/stripe',
      headers: { ...json, 'stripe-signature': 't=1,v1=00' },
      body: JSON.stringify({ id: 'evt_1', type: 'invoice.paid', data: { object: { id: 'in_1' } } }),
    },
    'an export of many notes': {
      path: '/api/transcriptions/export',
      headers: { ...json, ...token },
      body: JSON.stringify({ format: 'txt', ids: ['n1', 'n2'] }),
    },
    'the export of an account': { method: 'GET', path: '/api/users/export', headers: token, body: 'nothing' },
    'the event stream': {
      method: 'GET',
      path: '/api/transcriptions/events',
      headers: token,
      body: 'nothing',
    },
    'the sandbox': {
      origin: system.sandboxUrl,
      path: '/api/whatsapp/messages',
      ...formOf({ from: person.number }),
    },
    MCP: {
      path: '/mcp',
      headers: { ...json, ...key, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    },
  }
}, 120_000)
afterAll(() => system?.remove())

/** Sends a request that stops. Returns the status (0: none) and the first bytes of the response. */
async function send(route: BodyRoute, part: string, way: Way): Promise<[number, string]> {
  const announced = String(Buffer.byteLength(way === 'complete' ? part : route.body))
  const length = way === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': announced }
  const origin = new URL(route.origin ?? system.appUrl)
  const headers = {
    host: origin.host,
    connection: 'close',
    ...route.headers,
    ...route.sign?.(part),
    ...length,
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const chunk = part && `${Buffer.byteLength(part).toString(16)}\r\n${part}`
  const socket = connect(Number(origin.port), origin.hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `${route.method ?? 'POST'} ${route.path} HTTP/1.1\r\n${head.join('')}\r\n${way === 'chunked' ? chunk : part}`,
  )
  if (way === 'gone') {
    await new Promise(setImmediate)
    socket.destroy()
    return [0, '']
  }
  if (way !== 'complete') socket.end()
  let answer = ''
  // An event stream never ends, and a ZIP may be long.
  for await (const data of socket) {
    answer += data
    const [, declared] = /\r\ncontent-length: (\d+)/i.exec(answer) ?? []
    const [, body] = answer.split('\r\n\r\n')
    if (body && (!declared || Buffer.byteLength(body) >= Number(declared))) break
  }
  socket.destroy()
  const [first = '', ...rest] = answer.split('\r\n\r\n')
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(first)?.[1] ?? 0), rest.join('\r\n\r\n')]
}

test.each([
  'the API',
  'an upload',
  '/v1',
  'WhatsApp',
  'Twilio',
  'Stripe',
  'an export of many notes',
  'the export of an account',
  'the event stream',
  'the sandbox',
  'MCP',
])('when a body for %s stops anywhere, then the process lives on', async name => {
  const route = routes[name]!
  const random = randomFrom(SEED)
  // To a parser, all positions within a word are the same.
  const edges = [...route.body.matchAll(/\b|\W/g)].flatMap(({ index }) => [index, index + 1])
  const everywhere = [...new Set(edges)].map(at => ({ at, way: WAYS[0]! }))
  const anywhere = Array.from({ length: RANDOM_CUTS * 3 }, (_, n) => ({
    at: Math.floor(random() * route.body.length),
    way: WAYS[1 + (n % 3)]!,
  }))
  const cuts = [...everywhere, ...anywhere].values()
  const pid = system.process('voxscribe').pid
  const started = performance.now()
  const statuses: Record<number, number> = {}
  let last: object = {}
  async function sendCuts(): Promise<void> {
    for (const { at, way } of cuts) {
      last = { at, way }
      const [status, body] = await send(route, route.body.slice(0, at), way)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (way === 'complete') {
        expect({ at, status }).not.toEqual({ at, status: 500 })
        route.check?.(status, body)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendCuts))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const count = Object.values(statuses).reduce((sum, each) => sum + each, 0)
  if (process.env.E2E_OUTPUT)
    process.stdout.write(`${name}: ${count} in ${seconds} s ${JSON.stringify(statuses)}\n`)
  expect({ last, lives: running(system.process('voxscribe')), pid }).toEqual({
    last,
    lives: true,
    pid: system.process('voxscribe').pid,
  })
  expect((await axios.get(`${system.appUrl}/api/config`)).status).toBe(200)
})
