import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { eventually } from '@voxscribe/service/testing'
import type { DeliveryRecord } from './deliveries.ts'
import type { HookRecord } from './hooks.ts'
import { createLookup } from './names.ts'
import { createSend } from './send.ts'
import { type Receiver, startReceiver } from './testing.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

const delivery = { _id: 'delivery', body: '{}' } as DeliveryRecord
const hook = (url: string) => ({ url, secret: 'whsec_c2VjcmV0', formerSecrets: [] }) as unknown as HookRecord
const never = new AbortController().signal

const [HERE, HERE_6, ELSEWHERE] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
  // An address of AS112 (RFC 7535) on the internet, where nothing listens on that port.
  { address: '192.31.196.1', family: 4 },
] as const

/** A sender on the internet that resolves a name to these addresses, one set per query. */
function sendAs(...sets: (typeof HERE | typeof HERE_6 | typeof ELSEWHERE)[][]) {
  const left = [...sets]
  const lookup = async (): Promise<[(typeof HERE)[]]> => [(left.shift() ?? sets.at(-1)) as (typeof HERE)[]]
  return (scheme: string, timeoutMs = 60_000) =>
    createSend({ isPrivateAllowed: () => false, timeoutMs, lookup })(
      hook(`${scheme}://hooks.example.com:${receiver.port}/private`),
      delivery,
      never,
    )
}

test.each(['http', 'https'])(
  'when a name leads into our network by %s, at once, only the second time, or among others, then nothing arrives',
  async scheme => {
    for (const here of [HERE, HERE_6])
      expect(await sendAs([here])(scheme)).toEqual({
        failure: 'private_address',
        statusCode: null,
        answer: '',
      })
    const rebound = sendAs([ELSEWHERE], [HERE])
    expect((await rebound(scheme, 500)).failure).toMatch(/timeout|connection/)
    expect((await rebound(scheme)).failure).toBe('private_address')
    expect((await sendAs([ELSEWHERE, HERE])(scheme, 500)).failure).not.toBeNull()
    expect(receiver.received).toEqual([])
  },
)

test('when a proxy is set in the environment, then it is not used', async () => {
  process.env.HTTP_PROXY = receiver.url('/proxy')
  try {
    expect((await sendAs([HERE])('http')).failure).toBe('private_address')
    expect(receiver.received).toEqual([])
  } finally {
    delete process.env.HTTP_PROXY
  }
})

const drip: RequestListener = (_, response) => {
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}

test.each<[string, RequestListener, object]>([
  ['never answers', () => {}, { failure: 'timeout', statusCode: null, answer: '' }],
  [
    'drips its answer without end',
    (request, response) => {
      response.writeHead(500)
      drip(request, response)
    },
    { failure: 'status', statusCode: 500, answer: expect.stringMatching(/^\.+$/) },
  ],
])('when a receiver %s, then the delivery ends in time', async (_, answer, outcome) => {
  receiver.answer('/slow', answer)
  const send = createSend({ isPrivateAllowed: () => true, timeoutMs: 300 })
  // On a busy machine, even the first byte may come too late.
  await eventually(async () => {
    expect(await send(hook(receiver.url('/slow')), delivery, never)).toEqual(outcome)
    return true
  })
})

test('when the service stops before there is an answer, then the outcome stays open', async () => {
  const stop = new AbortController()
  receiver.answer('/stop', () => stop.abort(new Error('The service stops')))
  const send = createSend({ isPrivateAllowed: () => true, timeoutMs: 60_000 })
  await expect(send(hook(receiver.url('/stop')), delivery, stop.signal)).rejects.toThrow('The service stops')
})

/** A name server that resolves `here.test` to an address of this machine, and never responds to other queries. */
async function startNameServer() {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const isHere = question.includes('here')
    const end = question.indexOf(0, 12) + 5
    const type = question[end - 3]
    if (!isHere && !question.includes('none')) return
    const found = isHere && type === 1
    const flags = isHere ? 0x8180 : 0x8183
    const header = Buffer.alloc(12)
    for (const [at, value] of [question.readUInt16BE(0), flags, 1, Number(found)].entries())
      header.writeUInt16BE(value, 2 * at)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
    socket.send(
      Buffer.concat([header, question.subarray(12, end), ...(found ? [record] : [])]),
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() }
}

test('when the name servers of twenty hooks never answer, then the name of another is resolved, and theirs time out', async () => {
  const { server, stop } = await startNameServer()
  try {
    const send = (host: string, timeoutMs: number) =>
      createSend({ isPrivateAllowed: () => false, timeoutMs, lookup: createLookup([server]) })(
        hook(`http://${host}:${receiver.port}/`),
        delivery,
        never,
      )
    const stuck = Array.from({ length: 20 }, (_, n) => send(`silent-${n}.test`, 2_000))
    expect(await send('hook.here.test', 60_000)).toMatchObject({ failure: 'private_address' })
    expect(await send('none.test', 60_000)).toMatchObject({ failure: 'connection', answer: 'ENOTFOUND' })
    expect(new Set((await Promise.all(stuck)).map(({ failure }) => failure))).toEqual(new Set(['timeout']))
  } finally {
    stop()
  }
})
