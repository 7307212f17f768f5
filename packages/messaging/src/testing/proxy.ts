import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export type Line = Awaited<ReturnType<typeof startProxy>>

/** Sees the bytes of a connection, in each direction. */
interface Watch {
  sent(bytes: Buffer): void
  received(bytes: Buffer): void
}
type Targets = [string, ...string[]]

/**
 * Starts a TCP proxy in front of a broker, a database or a service's replicas, so that a test can cut off one client or
 * slow its connection down. With several targets, each connection goes to the next one that accepts it.
 */
export function startProxy(...targets: Targets) {
  return startWatchedProxy(() => undefined, ...targets)
}

/** Starts a proxy like `startProxy`; `watch` is called for each connection. */
export async function startWatchedProxy(watch: () => Watch | undefined, ...targets: Targets) {
  const addresses = targets.map(target => new URL(target))
  const sockets = new Set<Socket>()
  let open = true
  let delayMs = 0
  let turn = 0
  const server = createServer(client => {
    if (!open) return client.destroy()
    keep(client)
    client.pause()
    connectTo(addresses.length)

    function connectTo(tries: number) {
      const { hostname, port } = addresses[turn++ % addresses.length]!
      const broker = connect(Number(port || 5672), hostname)
      let reached = false
      broker.once('connect', () => {
        reached = true
        const seen = watch()
        join(client, broker, seen?.sent)
        join(broker, client, seen?.received)
        client.resume()
      })
      keep(broker)
      broker.once('error', () => {
        if (reached || tries <= 1 || client.destroyed) client.destroy()
        else connectTo(tries - 1)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function keep(socket: Socket) {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  function join(from: Socket, to: Socket, see?: (bytes: Buffer) => void) {
    const carry = delayedWrites(to)
    from.on('data', bytes => {
      see?.(bytes)
      carry(bytes, delayMs)
    })
    from.on('close', () => carry(null, delayMs))
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const url = new URL(targets[0])
  url.hostname = '127.0.0.1'
  url.port = `${(server.address() as { port: number }).port}`
  return {
    url: url.href,
    /** Breaks every connection; new ones are still accepted. */
    cut,
    /** Breaks every connection and accepts no new ones until `comeBack`. */
    goAway() {
      open = false
      cut()
    },
    comeBack() {
      open = true
    },
    /** Delays everything by this much from here on, in both directions. */
    slow(ms: number) {
      delayMs = ms
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Writes chunks in order, each after its delay; null means the end. */
function delayedWrites(to: Socket) {
  const waiting: { bytes: Buffer | null; due: number }[] = []
  let timer: NodeJS.Timeout | undefined
  function pump() {
    timer = undefined
    for (let next = waiting[0]; next; next = waiting[0]) {
      const left = next.due - performance.now()
      if (left > 0) {
        timer = setTimeout(pump, left)
        return
      }
      waiting.shift()
      if (!next.bytes) to.destroy()
      else if (!to.destroyed) to.write(next.bytes)
    }
  }
  return (bytes: Buffer | null, delayMs: number) => {
    waiting.push({ bytes, due: performance.now() + delayMs })
    if (!timer) pump()
  }
}
