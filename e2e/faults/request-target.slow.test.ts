import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { startOneProcess } from '../testing/one-process.ts'
import type { System } from '../testing/system.ts'

describe('when a request names another host in its target', () => {
  let system: System
  let elsewhere: Server
  let visits: string[]
  beforeAll(async () => {
    system = await startOneProcess()
    elsewhere = createServer((request, response) => {
      visits.push(`${request.method} ${request.url}`)
      response.end(JSON.stringify({ success: true, message: 'inside', data: { secret: 'inside' } }))
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
  })
  beforeEach(() => {
    visits = []
  })
  afterAll(async () => {
    elsewhere?.close()
    await system?.remove()
  })

  /** Sends the bytes as they are: no client writes such targets by itself. */
  async function answerTo(method: string, target: string): Promise<string> {
    const { hostname, port } = new URL(system.appUrl)
    const socket = connect(Number(port), hostname)
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    return answer
  }

  const away = (path: string) => `127.0.0.1:${(elsewhere.address() as AddressInfo).port}${path}`

  test.each([
    ['GET', () => `http://${away('/api/users/profile')}`],
    ['GET', () => `http://${away('/api/auth/login')}`],
    ['POST', () => `http://${away('/webhooks/stripe')}`],
    ['GET', () => `//${away('/api/users/profile')}`],
    ['GET', () => `/\\${away('/api/users/profile')}`],
    ['GET', () => `/api//${away('/api/users/profile')}`],
    ['GET', () => `/api/http://${away('/users/profile')}`],
    ['GET', () => `@${away('/api/users/profile')}`],
    ['OPTIONS', () => '*'],
  ])('%s %p, then nobody is asked there and no answer of theirs comes back', async (method, target) => {
    const answer = await answerTo(method, target())
    expect(answer).toMatch(/^HTTP\/1\.1 [2-5]\d\d /)
    expect(answer).not.toContain('inside')
    expect(visits).toEqual([])
  })

  test('an absolute target of our own host is 400', async () => {
    expect(await answerTo('GET', `${system.appUrl}/api/config`)).toMatch(/^HTTP\/1\.1 400 /)
  })
})
