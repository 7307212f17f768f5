import axios from 'axios'
import { createLog } from '../observe/log.ts'
import { type Management, startManagement } from './management.ts'

let management: Management
const ready = () => axios.get(`http://127.0.0.1:${management.port}/readyz`, { validateStatus: () => true })
beforeEach(async () => {
  management = await startManagement(0, '127.0.0.1')
})
afterEach(() => management.close())

test('when nothing has begun to start, then it is not ready', async () => {
  expect((await ready()).status).toBe(503)
})

test('when the database is away, then it is not ready and says why', async () => {
  management.watch('auth', () => ({ ok: true, detail: 'started' }))
  management.watch('auth: database', () => ({ ok: false, detail: 'not connected' }))
  const answer = await ready()
  expect(answer.status).toBe(503)
  expect(answer.data).toEqual({
    ok: false,
    parts: {
      auth: { ok: true, detail: 'started' },
      'auth: database': { ok: false, detail: 'not connected' },
    },
  })
})

test('when only the broker is down, then it is reported, but the service stays ready', async () => {
  management.watch('auth', () => ({ ok: true, detail: 'started' }))
  management.watch('bus', () => ({ ok: false, detail: 'connecting' }), { counts: false })
  const answer = await ready()
  expect(answer.status).toBe(200)
  expect(answer.data.parts.bus).toEqual({ ok: false, detail: 'connecting' })
})

test.each([
  ['an address', { host: '127.0.0.1:9090' }, 404],
  ['this machine', { host: 'localhost:9090' }, 404],
  ['a name of its own that leads here', { host: 'evil.example:9090' }, 403],
  ['its own name, to write', { host: 'localhost:9090', origin: 'http://evil.example' }, 403],
])(
  'when a page on this machine calls by %j, then it gets to the dead letters or not',
  async (_name, headers, status) => {
    const url = `http://127.0.0.1:${management.port}/dead-letters`
    const answer = await axios.get(url, { headers, validateStatus: () => true })
    expect(answer.status).toBe(status)
  },
)

/** Addresses of a connection's two ends, as the port sees them. */
type Ends = Partial<Record<'remoteAddress' | 'localAddress', string>>
const POD = '10.1.2.3'
const CALLERS: [string, Ends, boolean][] = [
  ['this machine', {}, true],
  ['this machine by IPv6', { remoteAddress: '::1', localAddress: '::1' }, true],
  ['another machine', { remoteAddress: '10.9.9.9', localAddress: POD }, false],
  ['another machine by IPv6', { remoteAddress: '::ffff:10.9.9.9', localAddress: `::ffff:${POD}` }, false],
  // A mesh's proxy passes on calls from elsewhere.
  ['a proxy beside the service', { remoteAddress: '127.0.0.6', localAddress: POD }, false],
  ['a proxy with the service’s own address', { remoteAddress: POD, localAddress: POD }, false],
]
describe.each(CALLERS)('when %s calls', (_who, ends, mayOperate) => {
  let erased: number
  const call = (method: string, path: string) =>
    axios({
      method,
      url: `http://127.0.0.1:${management.port}${path}`,
      data: { by: 'mallory', who: 'ada' },
      validateStatus: () => true,
    })
  beforeEach(() => {
    erased = 0
    const erase = async () => {
      erased += 1
      return { userId: 'ada' }
    }
    const usage = async () => ({ userId: 'ada' })
    management.serveAdmin(
      'auth',
      { erase, figures: async () => ({ figures: {} }) },
      createLog('test', 'silent'),
    )
    management.serveAdmin('billing', { usage }, createLog('test', 'silent'))
    management.server.on('connection', socket => {
      for (const [end, value] of Object.entries(ends)) Object.defineProperty(socket, end, { value })
    })
  })

  test('then it is an operator only on this machine', async () => {
    for (const path of ['/admin/auth/erase', '/ADMIN/auth/erase/', '//admin/auth/erase'])
      expect((await call('POST', path)).status).not.toBe(mayOperate ? 403 : 200)
    expect(erased > 0).toBe(mayOperate)
    expect((await call('GET', '/dead-letters')).status).toBe(mayOperate ? 404 : 403)
    expect((await call('POST', '/dead-letters/requeue')).status).toBe(mayOperate ? 404 : 403)
  })

  test('then it gets the page’s address only on this machine', async () => {
    expect((await call('POST', '/admin/auth/page')).status).toBe(mayOperate ? 200 : 403)
    expect((await call('GET', '/admin')).status).toBe(403)
  })

  test('then it gets health, metrics and the minutes of an account', async () => {
    expect((await call('POST', '/admin/auth/figures')).status).toBe(200)
    for (const path of ['/healthz', '/metrics']) expect((await call('GET', path)).status).toBe(200)
    expect((await call('GET', '/readyz')).status).toBe(503)
    expect((await call('POST', '/admin/billing/usage')).status).toBe(200)
  })
})

describe('the page about the installation', () => {
  const url = (path: string) => `http://127.0.0.1:${management.port}${path}`
  const get = (path: string) => axios.get(url(path), { validateStatus: () => true })
  const addressOf = async (): Promise<string> =>
    (await axios.post(url('/admin/auth/page'), { by: 'grace' })).data.data.path

  beforeEach(() => {
    const figures = async () => ({ figures: { People: { 'accounts <now>': 3 }, Errors: { no_speech: 2 } } })
    management.serveAdmin('auth', { figures }, createLog('test', 'silent'))
    management.serveAdmin(
      'transcription',
      { figures: () => Promise.reject(new Error('away')) },
      createLog('test', 'silent'),
    )
    management.watch('bus', () => ({ ok: false, detail: 'connecting' }), { counts: false })
  })

  test('when its address is opened, then it shows what each part says, or that one does not answer', async () => {
    const { status, headers, data } = await get(await addressOf())
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    const words = data.replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(words).toContain('People accounts &lt;now> 3')
    expect(words).toContain('Errors no_speech 2')
    expect(words).toContain('transcription does not answer')
    expect(words).toContain('bus not ok: connecting')
    expect(words).toContain(`Node ${process.version}`)
  })

  test('when its token is missing, wrong or an earlier one, then nothing is shown', async () => {
    for (const path of ['/admin', '/admin?token=', `/admin?token=${'x'.repeat(32)}`, '/admin?token[]=x'])
      expect((await get(path)).status).toBe(403)
    const first = await addressOf()
    const second = await addressOf()
    // As many characters, but more bytes.
    expect((await get(second.replace(/.$/, '%C3%A9'))).status).toBe(403)
    expect((await get(first)).status).toBe(403)
    expect((await get(second)).status).toBe(200)
  })

  test('when it is asked to write, then it does not', async () => {
    const path = await addressOf()
    expect((await axios.post(url(path), {}, { validateStatus: () => true })).status).toBe(404)
  })
})
