import { createServer, get, type Server } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { agentsFor, isInternal, publicAgents } from './public-agents.ts'

let server: Server
let port: number
let visits = 0
beforeAll(async () => {
  server = createServer((_request, response) => {
    visits += 1
    response.end()
  })
  server.on('connection', () => {
    visits += 1
  })
  await new Promise<void>(resolve => server.listen(0, resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
})

const errorOf = (url: string): Promise<NodeJS.ErrnoException> =>
  new Promise((resolve, reject) => {
    const isTls = url.startsWith('https:')
    const request = isTls
      ? https.get(url, { agent: publicAgents.httpsAgent })
      : get(url, { agent: publicAgents.httpAgent })
    request.on('error', resolve)
    request.on('response', () => reject(new Error('It was reached')))
  })

test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0'])(
  'when http or https leads to %s, then no connection is made',
  async host => {
    for (const scheme of ['http', 'https']) {
      expect((await errorOf(`${scheme}://${host}:${port}/`)).code).toBe('ERR_IP_BLOCKED')
    }
    expect(visits).toBe(0)
  },
)

test.each([
  ['private', '10.1.2.3', '172.31.0.1', '192.168.0.1', 'fd00::1'],
  ['link-local, where clouds keep their credentials', '169.254.169.254', 'fe80::1'],
  ['a carrier’s', '100.100.1.1'],
  ['nobody’s or everybody’s', '0.0.0.0', '::', '255.255.255.255', '224.0.0.1', 'ff02::1'],
  ['of the examples in books', '192.0.2.1', '198.51.100.7', '203.0.113.255', '2001:db8::1', '3fff:fff::1'],
  ['of a protocol or a test', '192.88.99.1', '198.19.0.1', '100::1', '100:0:0:1::1', '2001:2::1', '5f00::1'],
  ['one that leads on to another inside it', '2002:0a00:0001::1', '2001:0:4136:e378::1', '::ffff:0:10.0.0.1'],
  ['internal behind a translator', '64:ff9b::10.0.0.1', '::ffff:192.168.0.1'],
])('when an address is %s, then it is internal', (_what, ...addresses) => {
  expect(addresses.filter(address => !isInternal(address))).toEqual([])
})

test('when an address is on the internet, then it is not internal', () => {
  const addresses = [
    '8.8.8.8',
    '172.32.0.1',
    '192.0.3.1',
    '192.31.196.1',
    '100.128.0.1',
    '2a03:2880::1',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2620:4f:8000::1',
    '64:ff9b::8.8.8.8',
    '::ffff:8.8.8.8',
  ]
  expect(addresses.filter(isInternal)).toEqual([])
})

test.each([
  ['https://8.8.8.8', publicAgents],
  ['https://[2001:4860:4860::8888]/v25.0', publicAgents],
  ['http://127.0.0.1:4000', {}],
  ['http://localhost:4000', {}],
  ['http://[::1]:4000', {}],
])('when the provider is at %s, then its addresses are fetched accordingly', async (provider, agents) => {
  expect(await agentsFor(provider)).toEqual(agents)
})
