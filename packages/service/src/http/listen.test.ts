import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { listen } from './listen.ts'

test('when a stop meets a response, then it is completed and its connection closed', async () => {
  const gate = Promise.withResolvers<void>()
  const listening = await listen(
    async (_request, response) => {
      response.write('first, ')
      await gate.promise
      response.end('x'.repeat(1_000_000))
    },
    0,
    '127.0.0.1',
  )
  const agent = new Agent({ keepAlive: true })
  const asked = request({ port: listening.port, host: '127.0.0.1', agent }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  // The client would keep the connection but is told to close it, so nothing has to wait and cut it off.
  let isCutOff = false
  listening.server.closeAllConnections = () => {
    isCutOff = true
  }
  const ended = once(answer.socket, 'close')
  const closed = listening.close()
  gate.resolve()
  expect(await text(answer)).toHaveLength(1_000_007)
  await Promise.all([ended, closed])
  expect(isCutOff).toBe(false)
  agent.destroy()
})

test('when the largest file comes at half a megabit a second, then no timeout ends it', async () => {
  const listening = await listen((_request, response) => response.end(), 0, '127.0.0.1')
  await listening.close()
  expect(listening.server.requestTimeout).toBeGreaterThan((MAX_FILE_BYTES * 8) / 500)
})

test.each([
  [8, 'wait for their turn'],
  [9, 'close their connection, and no other'],
])('when %s requests come behind an unfinished answer, then they %s', async (count, _what) => {
  const handled: string[] = []
  const first = Promise.withResolvers<() => void>()
  const answer = (url: string | undefined, end: () => void) => {
    handled.push(url ?? '')
    if (url === '/stream') first.resolve(end)
    else end()
  }
  const listening = await listen(({ url }, response) => answer(url, () => response.end(url)), 0, '127.0.0.1')
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`
  const socket = connect(listening.port, '127.0.0.1')
  const received = text(socket).catch(() => '')
  socket.write(get('/stream'))
  const end = await first.promise
  socket.write(get('/next').repeat(count))
  const other = await fetch(`http://127.0.0.1:${listening.port}/other`)
  expect(await other.text()).toBe('/other')
  if (count === 8) {
    while (handled.length < 10) await new Promise(setImmediate)
    end()
    socket.write(get('/last').replace('Host', 'Connection: close\r\nHost'))
    expect(await received).toMatch(/\/stream(?:[\s\S]*\/next){8}[\s\S]*\/last$/)
  } else {
    expect(await received).toBe('')
    expect(handled.filter(url => url === '/next').length).toBeLessThan(9)
  }
  await listening.close()
})

test('when the client leaves after the answer to half a request, then nothing looks at its connection any more', async () => {
  const [begun, ended] = [jest.spyOn(globalThis, 'setInterval'), jest.spyOn(globalThis, 'clearInterval')]
  const listening = await listen((_request, response) => response.end('too large'), 0, '127.0.0.1')
  const left = new Promise(resolve =>
    listening.server.once('connection', connection => connection.once('close', resolve)),
  )
  const socket = connect(listening.port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\nbeginning')
  await once(socket, 'data')
  const [{ value: looking } = { value: undefined }] = begun.mock.results
  socket.destroy()
  await left
  await listening.close()
  expect(looking).toBeDefined()
  expect(ended.mock.calls.some(([timer]) => timer === looking)).toBe(true)
  jest.restoreAllMocks()
})

test('when an answer is written to after its end, then the process lives on', async () => {
  const written = Promise.withResolvers<unknown>()
  const handle: RequestListener = (_request, response) => {
    response.end('whole')
    response.write('more', written.resolve)
  }
  const listening = await listen(handle, 0, '127.0.0.1')
  const answer = await fetch(`http://127.0.0.1:${listening.port}`)
  expect(await answer.text()).toBe('whole')
  expect(await written.promise).toMatchObject({ code: 'ERR_STREAM_WRITE_AFTER_END' })
  await listening.close()
})

test('when a connection has lived long enough, then its next answer ends it, and the next request has another', async () => {
  const ports = new Set<number | undefined>()
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    ports.add(request.socket.remotePort)
    response.end('done')
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (port: number) => {
    const [answer] = (await once(request({ port, host: '127.0.0.1', agent }).end(), 'response')) as [
      IncomingMessage,
    ]
    await text(answer)
    return answer.headers.connection
  }
  const patient = await listen(handle, 0, '127.0.0.1')
  expect([await ask(patient.port), await ask(patient.port)]).toEqual(['keep-alive', 'keep-alive'])
  expect(ports.size).toBe(1)
  await patient.close()
  ports.clear()
  const strict = await listen(handle, 0, '127.0.0.1', 0)
  expect([await ask(strict.port), await ask(strict.port)]).toEqual(['close', 'close'])
  expect(ports.size).toBe(2)
  await strict.close()
  agent.destroy()
})

test('when many requests of a connection are answered before they are whole, then it keeps nothing of them', async () => {
  const connected = Promise.withResolvers<Socket>()
  const listening = await listen((_request, response) => response.end('early'), 0, '127.0.0.1')
  listening.server.once('connection', connected.resolve)
  const client = connect(listening.port, '127.0.0.1')
  const connection = await connected.promise
  const before = connection.listenerCount('close')
  for (let i = 0; i < 3; i++) {
    client.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\n\r\n')
    await once(client, 'data')
    client.write('x')
  }
  const last = once(client, 'data')
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  await last
  const after = connection.listenerCount('close')
  client.destroy()
  await listening.close()
  expect(after).toBe(before)
})
