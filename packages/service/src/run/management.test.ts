import axios from 'axios'
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
