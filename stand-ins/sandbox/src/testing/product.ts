import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Received {
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** Replaces the product: receives webhooks and responds with `status`. */
export async function startProduct() {
  const received: Received[] = []
  const answer = { status: 200 }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://product')
    received.push({ path: url.pathname, headers: request.headers, body: await text(request) })
    response.writeHead(answer.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
