import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'

/** Longest time for receiving a request: 16 MB at half a megabit per second. */
export const LONGEST_REQUEST_MS = 300_000
/** Minimum pace of the rest of a request that has already been answered: 27 kbit/s. */
const REST_BYTES = 100_000
const REST_MS = 30_000

/** Minimum life of a connection, plus up to half. While it lives, a balancer sends a new instance nothing. */
const CONNECTION_LIFE_MS = 60_000

/** Requests that may wait behind an unfinished answer on a connection. Browsers, proxies and libraries send none. */
const WAITING_MAX = 8

export interface Listening {
  server: Server
  port: number
  /** Address at which this machine reaches it. */
  url: string
  /** Stops accepting connections and gives open requests up to 5 s; each connection closes after its last answer. */
  close(): Promise<void>
}

/** Listens or rejects: Express's own `listen` passes EADDRINUSE to its callback. */
export function listen(
  handler: RequestListener,
  port: number,
  host: string,
  lifeMs = CONNECTION_LIFE_MS,
): Promise<Listening> {
  const server = createServer({ requestTimeout: LONGEST_REQUEST_MS, keepAliveTimeout: 65_000 })
  // Each of the gateway's proxies listens for the server's end.
  server.setMaxListeners(20)
  const answering = new Set<ServerResponse>()
  const unanswered = new WeakMap<Socket, number>()
  const ends = new WeakMap<Socket, number>()
  server.on('connection', socket => ends.set(socket, performance.now() + lifeMs * (1 + Math.random() / 2)))
  server.on('request', (request, response) => {
    const { socket } = request
    const waiting = unanswered.get(socket) ?? 0
    unanswered.set(socket, waiting + 1)
    answering.add(response)
    response.once('close', () => {
      unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1)
      answering.delete(response)
    })
    response.once('finish', () => request.complete || endIfSlow(request))
    // In one process, the response passes through the gateway and a service, each of which listens for its end.
    response.setMaxListeners(20)
    // Emitted when an answer is written although its connection is gone.
    response.on('error', () => {})
    if (waiting > WAITING_MAX) return void socket.destroy()
    // A request that was already on its way when the stop began is the last one on its connection.
    const isOld = performance.now() > (ends.get(socket) ?? Number.POSITIVE_INFINITY)
    response.shouldKeepAlive &&= server.listening && !isOld
    handler(request, response)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address() as AddressInfo
      resolve({ server, port: address.port, url: urlHere(address), close: () => close(server, answering) })
    })
  })
}

/** Returns the URL at which this machine reaches a listening address. */
function urlHere({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const reached = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`
}

/** Cuts off the rest of an answered request if it stalls. Browsers read the answer only after the whole upload. */
function endIfSlow(request: IncomingMessage): void {
  const { socket } = request
  let before = socket.bytesRead
  const looking = setInterval(() => {
    if (socket.bytesRead - before < REST_BYTES) socket.destroy()
    before = socket.bytesRead
  }, REST_MS)
  const stop = () => {
    clearInterval(looking)
    socket.off('close', stop)
  }
  // A request that has been answered doesn't close when its connection breaks.
  for (const end of [request, socket]) end.once('close', stop)
}

function close(server: Server, answering: Iterable<ServerResponse>): Promise<void> {
  // Clients keep connections open for their next request: without this, a busy one would stay until the cut-off.
  for (const response of answering) response.once('finish', () => response.req.socket.end())
  return new Promise(resolve => {
    const force = setTimeout(() => server.closeAllConnections(), 5_000)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
  })
}
