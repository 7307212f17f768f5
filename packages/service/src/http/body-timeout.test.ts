import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Clock, install } from '@sinonjs/fake-timers'
import { z } from 'zod'
import { silentLog } from '../testing.ts'
import { createHttpApp } from './http.ts'
import { type Listening, listen } from './listen.ts'
import { keepRawBody } from './raw-body.ts'
import { implement } from './routes.ts'

const contact = {
  service: 'auth',
  method: 'POST',
  path: '/contact',
  access: 'open',
  summary: 'Takes a word',
  body: z.object({ word: z.string() }),
  data: z.object({ word: z.string() }),
} as const

let listening: Listening
const logged: unknown[] = []
const open: Socket[] = []
let accepted: Promise<Socket[]>
let clock: Clock
beforeAll(async () => {
  const app = createHttpApp({
    service: 'auth',
    log: Object.assign(Object.create(silentLog), { error: (facts: unknown) => void logged.push(facts) }),
    trustProxy: 1,
    admit: async () => ({}) as never,
    routes: [implement(contact, async ({ body }) => ({ data: body }))],
    mount(mounted) {
      mounted.post('/webhook', keepRawBody, ({ body }, response) => void response.end(String(body)))
      mounted.post('/refused', (_request, response) => void response.status(401).end())
    },
  })
  listening = await listen(app, 0, '127.0.0.1')
})
afterAll(() => listening.close())

beforeEach(() => {
  clock = install({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  clock.uninstall()
  for (const socket of open.splice(0)) socket.destroy()
})

const [BODY, BEGUN] = ['{"word":"hello"}', '{"word":']
/** Starts to send a body, and waits until its handler has the request. */
async function begin(path: string, length = BODY.length): Promise<Socket> {
  const arrived = once(listening.server, 'request')
  accepted = once(listening.server, 'connection')
  const socket = connect(listening.port, '127.0.0.1').on('error', () => {})
  open.push(socket)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${BEGUN}`,
  )
  await arrived
  return socket
}

test.each(['/api/contact', '/webhook'])('when a body to %s takes 29 s, then it is read', async path => {
  const socket = await begin(path)
  clock.tick(29_000)
  socket.write(BODY.slice(BEGUN.length))
  expect(String((await once(socket, 'data'))[0])).toContain('200 OK')
  clock.tick(29_000)
  expect(clock.countTimers()).toBe(0)
})

test.each(['/api/contact', '/webhook'])(
  'when a body to %s takes longer than 30 s, then its connection ends, and the log has no error',
  async path => {
    const socket = await begin(path)
    clock.tick(30_000)
    await once(socket.resume(), 'close')
    expect(logged).toEqual([])
  },
)

test('when a request was answered before its body, then that may go on for as long as it moves', async () => {
  const socket = await begin('/refused', 1_000_000)
  expect(String((await once(socket, 'data'))[0])).toContain('401')
  const [taken] = await accepted
  for (const bytes of [100_000, 200_000]) {
    socket.write('x'.repeat(100_000))
    while (taken!.bytesRead < bytes) await new Promise(setImmediate)
    clock.tick(30_000)
    expect(taken!.destroyed).toBe(false)
  }
  clock.tick(30_000)
  await once(socket.resume(), 'close')
})

test('when the rest of an answered request comes in time, then its connection serves the next one', async () => {
  const socket = await begin('/refused')
  await once(socket, 'data')
  socket.write(`${BODY.slice(BEGUN.length)}POST /refused HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toContain('401')
  expect(clock.countTimers()).toBe(0)
})
