import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listening {
  server: Server
  port: number
  /** Stops taking connections and lets open requests end, 5 s at most. */
  close(): Promise<void>
}

/** Listens, or fails: Express' own `listen` swallows EADDRINUSE into its callback. */
export function listen(handler: RequestListener, port: number, host: string): Promise<Listening> {
  const server = createServer({ requestTimeout: 60_000, keepAliveTimeout: 65_000 }, handler)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve({ server, port: (server.address() as AddressInfo).port, close: () => close(server) })
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    const force = setTimeout(() => server.closeAllConnections(), 5_000)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
}
