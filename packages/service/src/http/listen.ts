import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'

/** Longest time for all bytes of a request: 16 MB at half a megabit per second. */
export const LONGEST_REQUEST_MS = 300_000
/** The rest of a request that was answered comes at this pace: 27 kbit/s. */
const REST_BYTES = 100_000
const REST_MS = 30_000

/** Least life of a connection; up to half as long again. Until then a balancer sends a new instance nothing. */
const CONNECTION_LIFE_MS = 60_000

/** Requests that may wait behind an unfinished answer of their connection: no browser, proxy or library sends any. */
const WAITING_MAX = 8

export interface Listening {
  server: Server
  port: number
  /** An address that reaches it from this machine. */
  url: string
  /** Stops taking connections and lets open requests end, 5 s at most; each connection closes with its last answer. */
  close(): Promise<void>
}

/** Listens, or fails: Express' own `listen` swallows EADDRINUSE into its callback. */
export function listen(
  handler: RequestListener,
  port: number,
  host: string,
  lifeMs = CONNECTION_LIFE_MS,
): Promise<Listening> {
  const server = createServer({ requestTimeout: LONGEST_REQUEST_MS, keepAliveTimeout: 65_000 })
  // Each of the gateway's proxies waits for its end.
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
    // In one process it passes through the gateway and a service, each of which waits for its end.
    response.setMaxListeners(20)
    // Of an answer that is written to although its connection is gone.
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

/** Returns the address by which this machine reaches what listens there. */
function urlHere({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const reached = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`
}

/** Breaks off the rest of a request that was answered, unless it moves: browsers read the answer only behind all of a file. */
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
  // Once it is answered, a request whose connection breaks does not close.
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
