import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** A TCP proxy before a broker or a database, so that a test can take it away from one client. */
export async function startProxy(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let open = true
  const server = createServer(client => {
    if (!open) return client.destroy()
    const broker = connect(Number(port || 5672), hostname)
    for (const [socket, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = `${(server.address() as { port: number }).port}`
  return {
    url: url.href,
    /** Every connection breaks; new ones are taken. */
    cut,
    /** Every connection breaks and no new one is taken until `comeBack`. */
    goAway() {
      open = false
      cut()
    },
    comeBack() {
      open = true
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
