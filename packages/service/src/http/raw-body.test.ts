import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express from 'express'
import { sendProblem } from './http.ts'
import type { Problem } from './problem.ts'
import { keepRawBody } from './raw-body.ts'

const app = express()
app.post('/', keepRawBody, (request, response) => void response.json({ bytes: request.body.length }))
app.use(((error, _request, response, _next) =>
  sendProblem(response, error as Problem)) as express.ErrorRequestHandler)

const server = app.listen(0, '127.0.0.1')
const sockets: Socket[] = []
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
beforeAll(() => server.listening || once(server, 'listening'))
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => void server.close())

const LARGE = 'x'.repeat(100_000)
const send = (body: string) => fetch(url(), { method: 'POST', body })
const statusOf = async (body: string) => (await send(body)).status

/** Starts to send a large body, and sends no more. */
async function begin(headers: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`)
  return socket
}
async function beginAll(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await begin('content-length: 3000000')
  // By now, the previous ones have arrived.
  expect(await statusOf('small')).toBe(200)
}

test('when eight large bodies are on their way, then a ninth is asked to come again, and small ones are read', async () => {
  await beginAll(8)
  const refused = await send(LARGE)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  expect(await Promise.all(Array.from({ length: 50 }, () => statusOf('small')))).toEqual(Array(50).fill(200))
})

test('when those have gone, then large bodies are read again', async () => {
  await beginAll(8)
  const gone = sockets.splice(0).map(socket => once(socket.destroy(), 'close'))
  await Promise.all(gone)
  for (let tried = 0; tried < 100 && (await statusOf(LARGE)) === 503; tried++);
  expect(await (await send(LARGE)).json()).toEqual({ bytes: LARGE.length })
})

test('when a body of undeclared length becomes large while others are on their way, then it is broken off', async () => {
  const chunk = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`
  const read = await begin('transfer-encoding: chunked')
  read.write(`${chunk.repeat(10)}0\r\n\r\n`)
  expect(String((await once(read, 'data'))[0])).toContain('"bytes":100000')
  await beginAll(8)
  const small = await begin('transfer-encoding: chunked')
  small.write(`${chunk}0\r\n\r\n`)
  expect(String((await once(small, 'data'))[0])).toContain('"bytes":10000}')
  const large = await begin('transfer-encoding: chunked')
  large.write(chunk.repeat(10))
  await once(large, 'close')
})

test('when a body is compressed, then it is refused: a few bytes might become megabytes', async () => {
  const headers = { 'content-encoding': 'gzip' }
  expect((await fetch(url(), { method: 'POST', body: 'x', headers })).status).toBe(415)
})
