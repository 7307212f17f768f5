import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICES } from '@voxscribe/contracts/events'
import { addressOf, api, type EndpointShape } from '@voxscribe/contracts/http'
import {
  type Listening,
  type LocalServices,
  listen,
  type RunningService,
  runService,
} from '@voxscribe/service'
import { eventually } from '@voxscribe/service/testing'
import axios from 'axios'
import express from 'express'
import { gatewayService } from './service.ts'

interface Seen {
  path: string
  headers: Record<string, unknown>
  body: string
}

const speech = { engines: [{ name: 'local', model: 'moonshine-tiny-en' }], languages: ['en'] }

type Answers = Record<string, (request: express.Request, response: express.Response) => void>

/** Starts the services behind the gateway, with these responses (which may be changed), and records their requests. */
async function startPeer(answers: Answers) {
  const seen: Seen[] = []
  const app = express()
  app.use(express.text({ type: () => true, limit: '5mb' }))
  app.use((request, response) => {
    seen.push({ path: request.originalUrl, headers: request.headers, body: request.body ?? '' })
    const answer = answers[`${request.method} ${request.path}`]
    if (answer) answer(request, response)
    else response.status(404).json({ success: false, message: 'Resource not found.', code: 'not_found' })
  })
  const listening: Listening = await listen(app, 0, '127.0.0.1')
  const answerWith = (more: Answers) => void Object.assign(answers, more)
  return { ...listening, app, seen, answers: answerWith, url: `http://127.0.0.1:${listening.port}` }
}

const user = { id: 'u1', first_name: 'Ada', email: 'ada@example.com' }
const status = {
  plan: 'monthly',
  status: 'active',
  subscription_minutes: 1000,
  used_minutes: 12.5,
  remaining_minutes: 987.5,
  current_period_end: '2026-12-20T10:00:00.000Z',
  payment_problem: false,
}
const ok = (data: unknown) => (_request: express.Request, response: express.Response) => {
  response.json({ success: true, message: 'OK', data })
}

/** Sends a raw request line, headers and body that no HTTP client would send. Returns the whole response. */
async function askRaw(url: string, requestLine: string, more: string[] = [], body = ''): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const headers = ['Host: gateway', 'Authorization: Bearer secret', 'Connection: close', ...more]
  socket.write([`${requestLine} HTTP/1.1`, ...headers, '', body].join('\r\n'))
  let answer = ''
  for await (const chunk of socket) answer += chunk
  return answer
}

let peer: Awaited<ReturnType<typeof startPeer>>
let billing: Awaited<ReturnType<typeof startPeer>> | undefined
let gateway: RunningService | undefined
let webDir: string
const url = () => gateway!.url
const http = () => axios.create({ baseURL: url(), validateStatus: () => true, decompress: true })

/** Starts the gateway, after stopping a running one. */
async function start(env: Record<string, string> = {}, localServices: LocalServices = {}) {
  await gateway?.stop()
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'silent',
    WEB_DIR: webDir,
    WHATSAPP_NUMBER: '+1 555 078 3881',
    AUTH_URL: peer.url,
    BILLING_URL: billing?.url ?? 'http://127.0.0.1:9',
    INGESTION_URL: peer.url,
    TRANSCRIPTION_URL: peer.url,
    NOTIFICATION_URL: 'http://127.0.0.1:9',
    ...env,
  }
  gateway = await runService(gatewayService, settings, { localServices })
}

beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'gateway-web-'))
  await mkdir(join(webDir, 'assets'))
  await writeFile(join(webDir, 'index.html'), '<!doctype html><title>Voxscribe</title>')
  await writeFile(join(webDir, 'assets/app-abc123.js'), `export const text = '${'words '.repeat(1000)}'`)
})
afterAll(() => rm(webDir, { recursive: true }))
beforeEach(async () => {
  peer = await startPeer({
    'POST /api/auth/login': ok({ user, accessToken: 'token', refreshToken: 'refresh' }),
    'GET /api/users/profile': ok({ user }),
    'GET /api/transcriptions': ok({ transcriptions: [] }),
    'GET /api/transcriptions/stats': ok({
      total: 3,
      completed: 2,
      processing: 0,
      failed: 1,
      totalFileSize: 99,
      totalSeconds: 7,
    }),
    'GET /internal/speech': ok({ ...speech, textModel: true }),
    'POST /webhooks/whatsapp': (_request, response) => void response.status(200).send('seen'),
  })
  billing = await startPeer({
    'GET /api/stripe/subscription-status': ok(status),
    'GET /api/stripe/subscription-details': ok({ subscription: { plan: 'monthly' }, paymentHistory: [] }),
    'GET /internal/config': ok({ priceId: 'price_1' }),
  })
  await start()
})
test('when a proxy is set in the environment, then services are called without it', async () => {
  const proxy = await startPeer({})
  Object.assign(process.env, { HTTP_PROXY: proxy.url, http_proxy: proxy.url })
  try {
    const answer = await axios.get(`${url()}/api/users/profile`, { proxy: false })
    expect(answer.headers['x-subscription-source']).toBe('billing')
    expect(proxy.seen).toEqual([])
  } finally {
    delete process.env.HTTP_PROXY
    delete process.env.http_proxy
    await proxy.close()
  }
})

describe('when a call is made with an access token of a renewal', () => {
  const tokenOf = (claims: object) =>
    [{ alg: 'ES256' }, claims, 'checked by the services']
      .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
  const call = (claims: object) =>
    http().get('/api/transcriptions', { headers: { authorization: `Bearer ${tokenOf(claims)}` } })
  const reported = () =>
    peer.seen.filter(({ path }) => path === '/internal/sessions/used').map(({ body }) => JSON.parse(body))

  test('then auth hears of it once', async () => {
    peer.answers({ 'POST /internal/sessions/used': ok(null) })
    for (const jti of ['r1', 'r1', 'r2']) await call({ sid: 's1', jti })
    await eventually(() => reported().length === 2)
    await call({ sid: 's1' })
    expect(reported()).toEqual([
      { sessionId: 's1', renewal: 'r1' },
      { sessionId: 's1', renewal: 'r2' },
    ])
  })

  test('which is refused, then auth does not', async () => {
    peer.answers({
      'POST /internal/sessions/used': ok(null),
      'GET /api/transcriptions': (_request, response) => void response.status(401).json({}),
    })
    await call({ sid: 's1', jti: 'r1' })
    peer.answers({ 'GET /api/transcriptions': ok({}) })
    await call({ sid: 's1', jti: 'r2' })
    await eventually(() => reported().length === 1)
    expect(reported()).toEqual([{ sessionId: 's1', renewal: 'r2' }])
  })
})

afterEach(async () => {
  await gateway?.stop()
  gateway = undefined
  await peer.close()
  await billing?.close()
})

test('when webhooks take too long, then only further webhooks are refused until they are done', async () => {
  const open = Promise.withResolvers<void>()
  peer.answers({
    'POST /webhooks/whatsapp': (_request, response) => void open.promise.then(() => response.sendStatus(200)),
    'POST /webhooks/twilio': (_request, response) => void response.sendStatus(200),
    'GET /api/transcriptions/stats': ok({ total: 0 }),
  })
  const send = () => http().post('/webhooks/whatsapp', '{}')
  const taken = Array.from({ length: 32 }, send)
  const refused = await eventually(async () => {
    const answer = await Promise.race([send(), new Promise<undefined>(resolve => setTimeout(resolve, 20))])
    return answer
  })
  expect(refused).toMatchObject({ status: 503, data: { success: false, code: 'overloaded' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await http().get('/api/transcriptions/stats')).status).toBe(200)
  // Twilio doesn't retry.
  expect((await http().post('/webhooks/twilio', 'From=whatsapp')).status).toBe(200)
  open.resolve()
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual(Array(32).fill(200))
  await eventually(async () => (await send()).status === 200)
})

/** Number of calls after which the earlier ones have been read. */
const CALLS = 40

test('when 40 webhooks begin and never end, then others are still accepted', async () => {
  const { hostname, port } = new URL(url())
  const head = `POST /webhooks/whatsapp HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 9\r\n\r\n{`
  const sockets = Array.from({ length: 40 }, () => connect(Number(port), hostname))
  try {
    await Promise.all(sockets.map(socket => new Promise(resolve => socket.write(head, resolve))))
    for (let n = 0; n < CALLS; n++) expect((await http().post('/webhooks/whatsapp', '{}')).status).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

test('when 64 webhooks are answered but wait behind event streams, then others are still accepted', async () => {
  const streams: express.Response[] = []
  peer.answers({
    'GET /api/transcriptions/events': (_request, response) => {
      response.set('content-type', 'text/event-stream').write(': hello\n\n')
      streams.push(response)
    },
    'POST /webhooks/whatsapp': ({ headers }, response) =>
      void response.sendStatus(headers['x-hub-signature-256'] ? 200 : 401),
  })
  const { hostname, port } = new URL(url())
  const stream = `GET /api/transcriptions/events HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
  const unsigned = `POST /webhooks/whatsapp HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 2\r\n\r\n{}`
  const sockets = Array.from({ length: 8 }, () => connect(Number(port), hostname))
  try {
    for (const socket of sockets) socket.write(stream + unsigned.repeat(8))
    const seen = () => peer.seen.filter(({ path }) => path === '/webhooks/whatsapp').length
    await eventually(() => streams.length === 8 && seen() === 64)
    const headers = { 'x-hub-signature-256': 'sha256=right' }
    for (let n = 0; n < CALLS; n++)
      expect((await http().post('/webhooks/whatsapp', '{}', { headers })).status).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

test('when a service streams events, then each is forwarded at once, and so is the end', async () => {
  const opened = Promise.withResolvers<express.Response>()
  const closed = Promise.withResolvers<void>()
  peer.answers({
    'GET /api/transcriptions/events': (_request, response) => {
      response.set('content-type', 'text/event-stream').write(': hello\n\n')
      response.once('close', closed.resolve)
      opened.resolve(response)
    },
  })
  const leaving = new AbortController()
  const response = await fetch(`${url()}/api/transcriptions/events`, {
    headers: { 'accept-encoding': 'gzip, br' },
    signal: leaving.signal,
  })
  expect(response.headers.get('content-encoding')).toBeNull()
  const reader = response.body!.getReader()
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await next()).toBe(': hello\n\n')
  const upstream = await opened.promise
  upstream.write('event: transcription\ndata: {}\n\n')
  expect(await next()).toBe('event: transcription\ndata: {}\n\n')
  leaving.abort()
  await closed.promise
})

test('when 300 streams are open, then their service still gets other calls', async () => {
  peer.answers({
    'GET /api/transcriptions/events': (_request, response) => {
      response.set('content-type', 'text/event-stream').write(': hello\n\n')
    },
    'GET /api/transcriptions': ok({ transcriptions: [] }),
  })
  const leaving = new AbortController()
  const openStream = () => fetch(`${url()}/api/transcriptions/events`, { signal: leaving.signal })
  try {
    // The proxy's own agent opens 256 connections.
    await Promise.all(Array.from({ length: 300 }, openStream))
    expect((await http().get('/api/transcriptions')).status).toBe(200)
  } finally {
    leaving.abort()
  }
})

test('when a user signs in, then the answer has the plan from billing', async () => {
  const answer = await http().post('/api/auth/login', { email: 'ada@example.com', password: 'x' })
  expect(answer.status).toBe(200)
  const { remaining_minutes: _, payment_problem: __, ...plan } = status
  expect(answer.data.data.user.subscription).toEqual(plan)
  expect(answer.headers['x-subscription-source']).toBe('billing')
  expect(billing?.seen[0]?.headers.authorization).toBe('Bearer token')
})

test('when billing is down, then a header says whether the plan is the one last seen or the free one', async () => {
  await http().get('/api/users/profile')
  await billing?.close()
  const known = await http().get('/api/users/profile')
  expect([known.status, known.data.data.user.subscription.plan]).toEqual([200, 'monthly'])
  expect(known.headers['x-subscription-source']).toBe('last-known')
  peer.answers({ 'GET /api/users/profile': ok({ user: { ...user, id: 'u2' } }) })
  const unknown = await http().get('/api/users/profile')
  expect(unknown.data.data.user.subscription).toMatchObject({ plan: 'free', subscription_minutes: 30 })
  expect(unknown.headers['x-subscription-source']).toBe('free-plan')
})

test('when auth gives a browser a cookie, then it passes both ways', async () => {
  peer.answers({
    'POST /api/auth/login': (request, response) => {
      response.cookie('device', 'new', { httpOnly: true, sameSite: 'lax' })
      ok({ user, accessToken: 'token' })(request, response)
    },
  })
  const headers = { cookie: 'device=old', 'accept-language': 'de' }
  const answer = await http().post('/api/auth/login', { email: 'ada@example.com' }, { headers })
  expect(peer.seen[0]?.headers).toMatchObject(headers)
  expect(answer.headers['set-cookie']).toEqual(['device=new; Path=/; HttpOnly; SameSite=Lax'])
})

test('when a composed call is rate limited, then the response has Retry-After', async () => {
  peer.answers({
    'POST /api/auth/login': (_request, response) =>
      void response.status(429).set('retry-after', '60').json({ success: false, code: 'rate_limited' }),
  })
  const { status, headers, data } = await http().post('/api/auth/login', { email: 'ada@example.com' })
  expect([status, headers['retry-after'], data.code]).toEqual([429, '60', 'rate_limited'])
})

test('when subscription details are asked for, then usage comes from transcription', async () => {
  const answer = await http().get('/api/stripe/subscription-details')
  expect(answer.data.data.usageStats).toEqual({
    totalTranscriptions: 3,
    completedTranscriptions: 2,
    failedTranscriptions: 1,
    totalFileSize: 99,
  })
})

test('when the ledger is asked for, then each note has its title; one that is gone has none', async () => {
  const lines = [{ transcriptionId: 'a' }, { transcriptionId: 'b' }]
  billing?.answers({ 'GET /api/stripe/usage': ok({ usage: lines }) })
  peer.answers({ 'GET /internal/titles': ok({ a: 'A talk' }) })
  const answer = await http().get('/api/stripe/usage?page=1')
  expect(answer.data.data.usage).toEqual([
    { transcriptionId: 'a', title: 'A talk' },
    { transcriptionId: 'b', title: null },
  ])
  expect(peer.seen.at(-1)?.path).toBe('/internal/titles?ids=a,b')
})

test('when only the head of an answer is asked for, then it comes without a body', async () => {
  billing?.answers({ 'HEAD /api/stripe/usage': (_request, response) => void response.sendStatus(200) })
  const answer = await http().head('/api/stripe/usage')
  expect([answer.status, answer.data]).toEqual([200, ''])
})

test('when a webhook comes, then its bytes reach the service unchanged', async () => {
  const body = '{ "spaces":   "kept", "ü": "\\u00fc" }'
  const answer = await http().post('/webhooks/whatsapp', body, {
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': 'sha256=1' },
  })
  expect(answer.data).toBe('seen')
  expect(peer.seen[0]).toMatchObject({ path: '/webhooks/whatsapp', body })
  expect(peer.seen[0]?.headers['x-hub-signature-256']).toBe('sha256=1')
})

test('when a caller claims another address, then services hear the one that the gateway sees', async () => {
  await http().get('/api/transcriptions?page=2', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect(peer.seen[0]).toMatchObject({ path: '/api/transcriptions?page=2' })
  expect(peer.seen[0]?.headers['x-forwarded-for']).toBe('127.0.0.1')
})

test('when a caller sends headers about its own connection, then no service hears of them, and the gateway lives on', async () => {
  const headers = ['Trailer: x', 'TE: trailers', 'Proxy-Connection: x']
  const lines = ['GET /api/users/profile', 'DELETE /api/transcriptions/1', 'POST /webhooks/whatsapp']
  for (const line of lines) {
    await askRaw(url(), line, [...headers, 'Content-Length: 0'])
    await askRaw(url(), line, [...headers, 'Transfer-Encoding: chunked'], '0\r\n\r\n')
  }
  expect(peer.seen).toHaveLength(2 * lines.length)
  for (const { headers: heard } of peer.seen)
    expect([heard.trailer, heard.te, heard['proxy-connection']]).toEqual([undefined, undefined, undefined])
})

test("when a service runs in this process, then it gets the request with the caller's address", async () => {
  const gone = { TRANSCRIPTION_URL: 'http://127.0.0.1:9', INGESTION_URL: 'http://127.0.0.1:9' }
  const here = { transcription: peer.app, ingestion: peer.app, notification: peer.app }
  await start({ ...gone, TRUST_PROXY: '1' }, here)
  const headers = {
    'x-forwarded-for': '198.51.100.1, 203.0.113.9',
    'x-forwarded-host': 'elsewhere.example',
    forwarded: 'for=198.51.100.1',
  }
  const list = await http().get('/api/transcriptions?page=2', { headers })
  expect(list.data.data).toEqual({ transcriptions: [] })
  expect((await http().post('/webhooks/whatsapp', '{"a": 1}')).data).toBe('seen')
  const unknown = await Promise.all(
    ['/api/transcriptions/unknown', '/webhooks/twilio-documents/unknown'].map(path => http().get(path)),
  )
  expect(unknown.map(({ status }) => status)).toEqual([404, 404])
  for (const answer of [list, ...unknown])
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
  expect(peer.seen.map(({ path, body }) => [path, body])).toEqual([
    ['/api/transcriptions?page=2', ''],
    ['/webhooks/whatsapp', '{"a": 1}'],
    ['/api/transcriptions/unknown', ''],
    ['/webhooks/twilio-documents/unknown', ''],
  ])
  expect(peer.seen[0]?.headers).toMatchObject({ 'x-forwarded-for': '203.0.113.9' })
  expect(peer.seen[0]?.headers).not.toHaveProperty('x-forwarded-host')
  expect(peer.seen[0]?.headers).not.toHaveProperty('forwarded')
})

test.each([
  ['elsewhere', false],
  ['in the same process', true],
])(
  'when a file is sent to ingestion %s, then it is forwarded whole, and so is the response',
  async (_where, isPeer) => {
    peer.answers({
      'POST /api/transcriptions': (_request, response) =>
        void response
          .status(201)
          .json({ success: true, message: 'OK', data: { transcription: { id: 'n1' } } }),
    })
    const gone = { INGESTION_URL: 'http://127.0.0.1:9' }
    await (isPeer ? start(gone, { ingestion: peer.app }) : start({ TRANSCRIPTION_URL: gone.INGESTION_URL }))
    const form = new FormData()
    form.append('file', new Blob(['sound '.repeat(50_000)]), 'note.ogg')
    const headers = { 'idempotency-key': 'k1' }
    const { status, data } = await http().post('/api/transcriptions', form, { headers })
    expect([status, data.data.transcription]).toEqual([201, { id: 'n1' }])
    expect(peer.seen).toHaveLength(1)
    expect(peer.seen[0]).toMatchObject({
      path: '/api/transcriptions',
      headers: { 'x-forwarded-for': '127.0.0.1', 'idempotency-key': 'k1' },
    })
    expect(peer.seen[0]?.body.split('sound ')).toHaveLength(50_001)
  },
)

test.each([
  ['a proxied call', '/api/contact'],
  ['a composed call', '/api/users/profile'],
])('when a service is away, then %s answers 503 with a plain sentence', async (_what, path) => {
  await peer.close()
  const answer = path === '/api/contact' ? await http().post(path, {}) : await http().get(path)
  expect(answer.status).toBe(503)
  expect(answer.data).toEqual({
    success: false,
    code: 'unavailable',
    message: 'This part of the service is not available right now. Please try again in a moment.',
  })
})

test('when a service stays down, then it is logged once, and again after an answer in between', async () => {
  const file = join(webDir, 'gateway.log')
  await start({ LOG_LEVEL: 'warn', LOG_FILE: file })
  const send = () => http().post('/webhooks/whatsapp', {})
  const warnings = async () => (await readFile(file, 'utf8')).split('a service did not answer').length - 1
  await peer.close()
  for (let repeat = 0; repeat < 3; repeat++) expect((await send()).status).toBe(503)
  expect((await http().post('/webhooks/twilio', {})).status).toBe(503)
  expect(await warnings()).toBe(1)
  const back = await listen(peer.app, peer.port, '127.0.0.1')
  expect((await send()).status).toBe(200)
  await back.close()
  expect((await send()).status).toBe(503)
  expect(await warnings()).toBe(2)
})

test('when an answer of the API comes, then no cache may keep it', async () => {
  for (const path of ['/api/transcriptions', '/api/users/profile', '/api/config', '/v1/models'])
    expect([path, (await http().get(path)).headers['cache-control']]).toEqual([path, 'no-store'])
})

test('when a shared note is opened, then search engines and the next page learn nothing of it', async () => {
  peer.answers({ 'GET /api/shared/abc': ok({ title: 'Party' }) })
  for (const path of ['/s/abc', '/api/shared/abc']) {
    const { status, headers } = await http().get(path)
    expect([path, status]).toEqual([path, 200])
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
  }
  expect((await http().get('/signup')).headers).not.toHaveProperty('x-robots-tag')
})

test('when own words are asked for, then transcription answers, not auth as for the rest of a user', async () => {
  await start({ AUTH_URL: 'http://127.0.0.1:9' })
  peer.answers({ 'GET /api/users/words': ok({ words: ['Nora'], replacements: [] }) })
  expect((await http().get('/api/users/words')).data.data).toEqual({ words: ['Nora'], replacements: [] })
  expect((await http().get('/api/users/countries')).status).toBe(503)
})

test('when a call of the contract is made, then its service gets it; an internal one reaches none', async () => {
  const services = SERVICES.filter(name => name !== 'gateway')
  const peers = await Promise.all(services.map(async name => ({ name, ...(await startPeer({})) })))
  await start(Object.fromEntries(peers.map(({ name, url }) => [`${name.toUpperCase()}_URL`, url])))
  for (const endpoint of Object.values<EndpointShape>(api).filter(({ service }) => service !== 'gateway')) {
    const url = addressOf(endpoint).replace(/:\w+/g, 'x')
    for (const { seen } of peers) seen.length = 0
    await http().request({ method: endpoint.method, url })
    const reached = peers.filter(({ seen }) => seen.some(({ path }) => path === url)).map(({ name }) => name)
    expect([url, reached]).toEqual([url, endpoint.access === 'internal' ? [] : [endpoint.service]])
  }
  for (const peer of peers) await peer.close()
})

test('when two services share an address, then the refusal of a method names those of both', async () => {
  const { status, headers, data } = await http().put('/api/transcriptions', {})
  expect([status, headers.allow, data.code]).toEqual([405, 'GET, POST', 'method_not_allowed'])
  expect((await http().post('/api/users/profile', {})).headers.allow).toBe('GET, PUT')
})

test('when a path is unknown, then the API responds 404, and a page gets the application', async () => {
  const unknown = await http().get('/api/nothing')
  expect(unknown.status).toBe(404)
  expect(unknown.data).toMatchObject({ success: false, code: 'not_found' })
  expect((await http().post('/webhooks/nobody')).status).toBe(404)
  expect((await http().get('/assets/gone.js')).status).toBe(404)
  const screen = await http().get('/transcription-history?page=2')
  expect(screen.status).toBe(200)
  expect(screen.data).toContain('<title>Voxscribe</title>')
  expect(screen.headers['cache-control']).toContain('no-store')
})

test('when the folder of the page has none, then the start stops and says so', async () => {
  await expect(start({ WEB_DIR: join(webDir, 'nowhere') })).rejects.toThrow(
    'WEB_DIR: must be a folder with an index.html',
  )
})

test('when the web app asks for its settings, then it gets number, price, limits, texts and engine', async () => {
  const settings = { RETENTION_DAYS: '90', DEAD_LETTER_TTL: '7d', TERMS_URL: '' }
  await start({ PRIVACY_URL: 'https://example.com/privacy', ...settings })
  expect((await http().get('/api/config')).data.data).toEqual({
    whatsappNumber: '15550783881',
    telegramUrl: null,
    priceId: 'price_1',
    supportEmail: 'support@voxscribe.example',
    maxFileBytes: 16_777_216,
    retentionDays: 90,
    deadLetterDays: 7,
    freeMinutes: 30,
    plans: true,
    paidMinutes: 1000,
    price: 4.99,
    currency: 'usd',
    signIn: { passwords: true, oidc: null, signUp: 'open', passkeys: true },
    legal: { privacy: 'https://example.com/privacy', terms: null, cookies: null },
    chatUrl: 'https://wa.me/15550783881?text={code}',
    sandbox: false,
    speech,
    textModel: true,
  })
})

test.each([
  [{ FREE_MINUTES: '41' }, { freeMinutes: 41, plans: true }],
  [{ PLANS: 'off' }, { freeMinutes: 30, plans: false }],
  [{ FREE_MINUTES: 'off' }, { freeMinutes: null, plans: false }],
])('when an installation has %j, then the web app learns %j', async (settings, offer) => {
  await start(settings)
  expect((await http().get('/api/config')).data.data).toMatchObject(offer)
})

test.each([
  ['FREE_MINUTES', '0'],
  ['FREE_MINUTES', '1.5'],
  ['FREE_MINUTES', 'none'],
  ['PLANS', 'no'],
  ['WHATSAPP_NUMBER', 'soon'],
  ['WHATSAPP_NUMBER', '+49'],
])('when %s is %j, then the start ends and names it', async (name, value) => {
  await expect(start({ [name]: value })).rejects.toThrow(name)
})

test('when the sandbox stands in for WhatsApp, then the chat opens there', async () => {
  await start({ SANDBOX_URL: 'http://localhost:8090' })
  const chatUrl = 'http://localhost:8090/wa/15550783881?text={code}'
  expect((await http().get('/api/config')).data.data).toMatchObject({ chatUrl, sandbox: true })
})

test('when a hashed file is loaded, then it is compressed, immutable and under a strict policy', async () => {
  const answer = await http().get('/assets/app-abc123.js', {
    headers: { 'accept-encoding': 'br' },
    decompress: false,
  })
  expect(answer.headers['cache-control']).toMatch(/immutable/)
  expect(answer.headers['content-encoding']).toBe('br')
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe-inline')
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  expect(answer.headers['x-powered-by']).toBeUndefined()
  expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
})

test('when an origin is allowed, then it alone may read the API from a browser', async () => {
  await start({ CORS_ORIGINS: 'https://other.example, https://app.example/' })
  const ours = await http().get('/api/config', { headers: { origin: 'https://app.example' } })
  const theirs = await http().get('/api/config', { headers: { origin: 'https://evil.example' } })
  expect(ours.headers['access-control-allow-origin']).toBe('https://app.example')
  expect(theirs.headers['access-control-allow-origin']).toBeUndefined()
  expect(ours.headers['access-control-expose-headers']).toMatch(
    /content-disposition.*content-range.*ratelimit/,
  )
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  for (const [path, origin] of [
    ['/v1/audio/transcriptions', 'https://app.example'],
    ['/mcp', '*'],
    ['/oauth/token', '*'],
  ] as const) {
    const asked = await http().options(path, { headers })
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, origin])
  }
})

test.each(['/API/nothing', '/.well-known/openid-configuration', '/mcp/.well-known/openid-configuration'])(
  'when a program asks for %s, then it gets no page but 404',
  async path => {
    expect((await http().get(path)).status).toBe(404)
  },
)

test('when the API docs are on, then the description and a page to try it are served; else not', async () => {
  expect((await http().get('/api/docs/openapi.json')).status).toBe(404)
  await start({ API_DOCS: 'on' })
  const document = await http().get('/api/docs/openapi.json')
  expect(Object.keys(document.data.paths)).toContain('/transcriptions/{id}/refresh')
  expect((await http().get('/api/docs/')).data).toContain('swagger-ui')
  const colors = await http().get('/api/docs/index.css')
  expect([colors.headers['content-type'], colors.data.includes('#2b3fb8')]).toEqual([
    'text/css; charset=utf-8',
    true,
  ])
  const below: [string, { servers?: { url: string }[]; post?: object }][] = Object.entries(
    document.data.paths,
  )
  const ofOpenAi = below.flatMap(([path, { servers, post }]) =>
    (servers ?? []).map(({ url }) => [post ? 'POST' : 'GET', `${url}${path}`] as const),
  )
  expect(ofOpenAi).toHaveLength(4)
  for (const [method, url] of ofOpenAi) expect((await http().request({ method, url })).status).toBe(401)
})

test('when a composed call gets a form, then its service sees it as it is', async () => {
  const form = new FormData()
  form.append('email', 'ada@example.com')
  const { status } = await http().post('/api/auth/login', form, { timeout: 60_000 })
  expect(status).toBe(200)
  const { headers, body } = peer.seen.find(call => call.path === '/api/auth/login')!
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(body).toContain('ada@example.com')
})

describe('when the request target is no path', () => {
  let stranger: Awaited<ReturnType<typeof startPeer>>
  beforeEach(async () => {
    stranger = await startPeer({ 'GET /api/users/profile': ok({ user: { id: 'stranger' } }) })
  })
  afterEach(() => stranger.close())

  const targets = [
    '{url}/api/users/profile',
    '{url}/api/transcriptions',
    '{url}/webhooks/whatsapp',
    'HTTP://{host}/api/users/profile',
    'https://{host}/api/users/profile',
    'http://user@{host}/api/users/profile',
    '//{host}/api/users/profile',
    '///{host}/api/users/profile',
    '/\\{host}/api/users/profile',
    '*',
    '{host}',
    'api/users/profile',
    'mailto:api/users/profile',
    '?/api/users/profile',
  ]
  test.each(targets)('%s, then it is refused and no service is called', async target => {
    const host = new URL(stranger.url).host
    const filled = target.replace('{url}', stranger.url).replace('{host}', host)
    for (const method of ['GET', 'OPTIONS', 'PUT']) {
      expect(await askRaw(url(), `${method} ${filled}`)).toMatch(/^HTTP\/1.1 400 /)
    }
    expect([stranger.seen, peer.seen, billing?.seen]).toEqual([[], [], []])
  })

  test.each(['/%2f%2f{host}/api/users/profile', '/api/..%2f..%2f{host}/', '/api/users%2fprofile@{host}'])(
    'but a path that hides one (%s), then it is no more than a path',
    async target => {
      const filled = target.replace('{host}', new URL(stranger.url).host)
      await askRaw(url(), `GET ${filled}`)
      expect(stranger.seen).toEqual([])
    },
  )

  test('CONNECT, then nothing is connected', async () => {
    expect(await askRaw(url(), `CONNECT ${new URL(stranger.url).host}`)).not.toMatch(/^HTTP\/1.1 200/)
    expect(stranger.seen).toEqual([])
  })
})

test('when a person’s day is full, then OpenAI’s endpoint says so in OpenAI’s shape, and for how long', async () => {
  peer.answers({
    'POST /internal/keys/use': ok({
      accessToken: 'token',
      scopes: ['write'],
      limit: { points: 120, left: 9, resetSeconds: 60 },
    }),
    'POST /api/transcriptions': (_request, response) => {
      const body = { success: false, message: 'Please send this again tomorrow.', code: 'day_is_full' }
      response.status(429).set('retry-after', '3600').json(body)
    },
  })
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('file', new Blob(['RIFF']), 'note.wav')
  const headers = { authorization: 'Bearer vox_secret' }
  const answer = await fetch(`${url()}/v1/audio/transcriptions`, { method: 'POST', body: form, headers })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600'])
  const message = 'Please send this again tomorrow.'
  expect(await answer.json()).toMatchObject({ error: { code: 'rate_limit_exceeded', message } })
})

describe('when a program asks OpenAI’s endpoint for a stream', () => {
  const use = { accessToken: 'token', scopes: ['write'], limit: { points: 120, left: 9, resetSeconds: 60 } }
  const processing = (partial: object | null) => ok({ transcription: { status: 'processing', partial } })
  async function streamOf(format: string, ...answers: ReturnType<typeof ok>[]) {
    peer.answers({
      'POST /internal/keys/use': ok(use),
      'POST /api/transcriptions': ok({ transcription: { id: 'n1' } }),
      'GET /api/transcriptions/n1': (request, response) => answers.shift()?.(request, response),
    })
    const form = new FormData()
    form.set('response_format', format)
    form.set('stream', 'true')
    form.set('file', new Blob(['RIFF']), 'note.wav')
    const headers = { authorization: 'Bearer vox_secret' }
    return fetch(`${url()}/v1/audio/transcriptions`, { method: 'POST', body: form, headers })
  }
  const usageOf = (seconds: number) => ({
    type: 'duration',
    seconds,
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 0,
  })
  const eventsOf = (body: string) =>
    [...body.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data]) => [name, JSON.parse(data!)])

  test('then each part comes as it is done, and all of it at the end', async () => {
    const answer = await streamOf(
      'json',
      processing(null),
      processing({ text: 'One.', seconds: 120 }),
      processing({ text: 'One. Two.', seconds: 240 }),
      ok({ transcription: { status: 'completed', text: 'One. Two. Three.', durationSeconds: 249.5 } }),
    )
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const [delta, done] = ['transcript.text.delta', 'transcript.text.done']
    expect(eventsOf(await answer.text())).toEqual([
      [delta, { type: delta, delta: 'One.' }],
      [delta, { type: delta, delta: ' Two.' }],
      [delta, { type: delta, delta: ' Three.' }],
      [done, { type: done, text: 'One. Two. Three.', usage: usageOf(250) }],
    ])
    const asked = peer.seen.map(({ path }) => path).filter(path => path.includes('wait='))
    expect(asked.map(path => new URL(path, url()).searchParams.get('heard'))).toEqual([
      '0',
      '0',
      '120',
      '240',
    ])
  })

  test('and the access token ends in the middle, then the key gets another', async () => {
    const over = { success: false, message: 'Token expired', code: 'token_expired' }
    const answer = await streamOf(
      'json',
      processing({ text: 'One.', seconds: 120 }),
      (_request, response) => void response.status(401).json(over),
      ok({ transcription: { status: 'completed', text: 'One. Two.' } }),
    )
    const [, done] = eventsOf(await answer.text()).slice(-2)
    expect(done).toEqual([
      'transcript.text.done',
      { type: 'transcript.text.done', text: 'One. Two.', usage: usageOf(0) },
    ])
    expect(peer.seen.filter(({ path }) => path === '/internal/keys/use')).toHaveLength(2)
  })

  test.each(['text', 'diarized_json'])(
    'of %s and the engine breaks in the middle, then the last event is the error',
    async format => {
      const failed = { status: 'failed', error: 'It broke.', failure: { code: 'engine_broke' } }
      const answer = await streamOf(
        format,
        processing({ text: 'One.', seconds: 120 }),
        ok({ transcription: failed }),
      )
      const error = {
        message: 'It broke.',
        code: 'engine_broke',
        type: 'invalid_request_error',
        param: 'file',
      }
      expect(eventsOf(await answer.text()).at(-1)).toEqual(['error', { error }])
    },
  )

  test('by speakers, then each line is an event before the end', async () => {
    const transcription = {
      status: 'completed',
      text: 'Hi. Yes?',
      speakers: [
        { id: '1', name: null },
        { id: '2', name: 'Bob' },
      ],
      segments: [
        { from: 0, to: 1, text: 'Hi.', speaker: '1' },
        { from: 1, to: 2, text: 'Yes?', speaker: '2' },
      ],
    }
    const events = eventsOf(await (await streamOf('diarized_json', ok({ transcription }))).text())
    const type = 'transcript.text.segment'
    expect(events.slice(1, 3)).toEqual([
      [type, { type, id: 'seg_1', start: 0, end: 1, text: 'Hi.', speaker: 'A' }],
      [type, { type, id: 'seg_2', start: 1, end: 2, text: 'Yes?', speaker: 'Bob' }],
    ])
    expect(events.at(-1)?.[0]).toBe('transcript.text.done')
  })

  test.each(['srt', 'vtt', 'verbose_json'])('of %s, then it is 400', async format => {
    const answer = await streamOf(format)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param: 'stream', type: 'invalid_request_error' } })
  })
})

test.each([
  '/admin/auth/find',
  '/internal/keys/use',
  '/%69nternal/keys/use',
  '/api/admin/auth/find',
  '/api/../admin/auth/find',
  '/api/users/..%2f..%2fadmin/auth/find',
  '/webhooks/../internal/keys/use',
  '/webhooks/stripe/..%2f..%2finternal/config',
  '/webhooks/stripe/../../internal/config',
  '/api/users/../../internal/keys/use',
])(
  'when the public port is asked for a call of operators or of services (%s), then none gets it',
  async path => {
    expect(await askRaw(url(), `POST ${path}`)).toMatch(/^HTTP\/1.1 404 /)
    const reached = [...peer.seen, ...(billing?.seen ?? [])].map(seen => seen.path)
    expect(reached.filter(each => !/^\/(api\/(users|stripe)|webhooks\/stripe)\//.test(each))).toEqual([])
  },
)

test.each([
  ['breaks off', '{"success": true, "da'],
  ['is no JSON', '<h1>Bad gateway</h1>'],
])('when an answer to be completed %s, then it is 503', async (_what, body) => {
  peer.answers({
    'GET /api/users/profile': (_request, response) => void response.send(body),
  })
  const { status, data } = await http().get('/api/users/profile')
  expect([status, data.code]).toEqual([503, 'unavailable'])
})

describe('when a person exports everything', () => {
  const person = { ...user, ui_language: 'de' }
  const ledger = { payments: [{ id: 'in_1' }], minutes: [{ seconds: 7 }] }
  const download = () => fetch(`${url()}/api/users/export`, { headers: { authorization: 'Bearer token' } })
  const sendZip = (request: express.Request, response: express.Response) =>
    void response.attachment('voxscribe.zip').set('x-expected-bytes', '99').send(`zip of ${request.body}`)
  beforeEach(() => {
    peer.answers({
      'GET /api/users/profile': ok({ user: person }),
      'GET /api/users/sessions': ok({ sessions: [{ device: 'Firefox on Windows' }] }),
      'GET /api/keys': ok({ keys: [{ prefix: 'vox_ab' }] }),
      'GET /api/oauth/grants': ok({ grants: [{ name: 'Claude' }] }),
      'GET /api/hooks': ok({ hooks: [{ url: 'https://hooks.example' }] }),
      'GET /internal/former-addresses': ok({
        formerEmails: [{ email: 'former@example.com' }],
        invitations: [{ email: 'grace@example.com' }],
      }),
      'GET /internal/senders': ok({ senders: ['telegram-id:@7'] }),
      'GET /internal/hook-deliveries': ok({ deliveries: [{ type: 'test', url: 'https://hooks.example' }] }),
      'POST /internal/export': sendZip,
    })
    billing!.answers({ 'GET /internal/export': ok(ledger) })
    return start({ NOTIFICATION_URL: peer.url })
  })

  test('then transcription gets what the other services know, and its zip is passed on', async () => {
    const response = await download()
    const { plan } = status
    expect(response.headers.get('x-expected-bytes')).toBe('99')
    expect(response.headers.get('content-disposition')).toContain('voxscribe.zip')
    expect(JSON.parse((await response.text()).slice('zip of '.length))).toMatchObject({
      userId: 'u1',
      language: 'de',
      files: {
        profile: {
          email: user.email,
          subscription: { plan },
          formerEmails: [{ email: 'former@example.com' }],
          invitations: [{ email: 'grace@example.com' }],
          connections: [{ name: 'Claude' }],
          senders: ['telegram-id:@7'],
        },
        hooks: {
          hooks: [{ url: 'https://hooks.example' }],
          deliveries: [{ type: 'test', url: 'https://hooks.example' }],
        },
        sessions: [{ device: 'Firefox on Windows' }],
        keys: [{ prefix: 'vox_ab' }],
        ...ledger,
      },
    })
    expect(billing!.seen.map(({ path }) => path)).toContain('/internal/export?userId=u1')
  })

  test.each([
    ['GET /api/users/profile', 401, 'token_expired'],
    ['POST /internal/export', 429, 'rate_limited'],
  ])('and %s is refused with %i, then so is the export', async (call, refused, code) => {
    const refuse = (_request: express.Request, response: express.Response) =>
      void response.status(refused).set('retry-after', '10').json({ success: false, message: 'No.', code })
    peer.answers({ [call]: refuse })
    const response = await download()
    expect([response.status, response.headers.get('retry-after')]).toEqual([refused, '10'])
    expect(await response.json()).toMatchObject({ success: false, code })
  })

  test('and a service is away, then it is 503 before the zip has begun', async () => {
    await start({ BILLING_URL: 'http://127.0.0.1:9' })
    expect((await download()).status).toBe(503)
  })

  test('and the zip breaks off, then it does not end as a whole one', async () => {
    peer.answers({
      'POST /internal/export': (_request, response) => void response.write('half', () => response.destroy()),
    })
    await expect(download().then(response => response.text())).rejects.toThrow()
  })

  test('and leaves, then transcription hears of it at once', async () => {
    const closed = Promise.withResolvers<void>()
    peer.answers({
      'POST /internal/export': (_request, response) => {
        response.once('close', closed.resolve)
        response.write('half')
      },
    })
    const response = await download()
    await response.body!.cancel()
    await closed.promise
  })

  test('with another method or a key, then it is refused', async () => {
    expect((await http().post('/api/users/export')).status).toBe(405)
    const withKey = { headers: { authorization: 'Bearer vox_secret' } }
    expect((await http().get('/api/users/export', withKey)).data.code).toBe('not_for_keys')
  })
})

describe('when a program calls with an API key', () => {
  const admitted = { accessToken: 'short', limit: { points: 120, left: 119, resetSeconds: 60 } }
  const withKey = { headers: { authorization: 'Bearer vox_secret' } }
  const uses = () => peer.seen.filter(({ path }) => path === '/internal/keys/use')
  const refuse = (status: number, code: string, headers = {}) => {
    peer.answers({
      'POST /internal/keys/use': (_request, response) =>
        void response.status(status).set(headers).json({ success: false, message: 'No.', code }),
    })
  }
  beforeEach(() => peer.answers({ 'POST /internal/keys/use': ok(admitted) }))

  test('and the key fits, then the service gets an access token, and the answer tells the limit', async () => {
    const answer = await http().get('/api/transcriptions?page=1', withKey)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'ratelimit-policy': '"key";q=120;w=60',
      ratelimit: '"key";r=119;t=60',
    })
    const [asked] = uses()
    expect(JSON.parse(asked!.body)).toEqual({ secret: 'vox_secret', scope: 'read', address: '127.0.0.1' })
    expect(peer.seen.at(-1)).toMatchObject({ headers: { authorization: 'Bearer short' } })
  })

  test.each([
    ['POST', '/api/transcriptions', 'write'],
    ['DELETE', '/api/transcriptions/n1', 'write'],
    ['GET', '/api/transcriptions/stats', 'read'],
    ['HEAD', '/api/transcriptions/n1/export', 'read'],
    ['GET', '/api/users/profile', 'read'],
  ])('and asks %s %s, then the scope is %s', async (method, path, scope) => {
    await http().request({ method, url: path, ...withKey })
    expect(JSON.parse(uses()[0]!.body).scope).toBe(scope)
  })

  test.each([
    ['PUT', '/api/users/profile'],
    ['GET', '/api/keys'],
    ['GET', '/api/stripe/usage'],
    ['GET', '/api/transcriptions/n1/audio/../../stripe/usage'],
    ['POST', '/api/auth/logout'],
  ])('and asks %s %s, then that is not for keys', async (method, path) => {
    const answer = await http().request({ method, url: path, ...withKey })
    expect(answer).toMatchObject({ status: 403, data: { code: 'not_for_keys' } })
    expect(uses()).toEqual([])
  })

  test('and the key is in the address, then nobody is let in by it', async () => {
    await http().get('/api/transcriptions?key=vox_secret&access_token=vox_secret')
    expect(uses()).toEqual([])
    expect(peer.seen.at(-1)?.headers.authorization).toBeUndefined()
  })

  test('and the key is refused, then auth’s answer is the answer', async () => {
    refuse(401, 'invalid_api_key')
    const answer = await http().get('/api/transcriptions', withKey)
    expect(answer).toMatchObject({ status: 401, data: { code: 'invalid_api_key' } })
    expect(peer.seen.some(({ path }) => path === '/api/transcriptions')).toBe(false)
  })

  test('and too often, then it is told when to come again', async () => {
    refuse(429, 'rate_limited', { 'retry-after': '17' })
    const { status, headers } = await http().get('/api/transcriptions', withKey)
    expect([status, headers['retry-after'], headers.ratelimit]).toEqual([429, '17', '"key";r=0;t=17'])
  })

  test('and a limit of a service is used up, then RateLimit has both', async () => {
    peer.answers({
      'POST /api/transcriptions': (_request, response) =>
        void response.status(429).set('ratelimit', '"files";r=0;t=2615').json({ success: false }),
    })
    const { headers } = await http().post('/api/transcriptions', '', withKey)
    expect(headers.ratelimit).toBe('"key";r=119;t=60, "files";r=0;t=2615')
  })

  test('and auth is away, then it is asked to try again', async () => {
    await start({ AUTH_URL: 'http://127.0.0.1:9' })
    expect((await http().get('/api/transcriptions', withKey)).status).toBe(503)
  })
})
