import { createServer, type Socket } from 'node:net'
import { openEngine } from './engine.ts'
import { createFraming, readMessage, writeReply } from './wire.ts'

export interface ServerOptions {
  /** A folder, or ':memory:'. */
  path: string
  port: number
  /** Seconds between two sweeps of expired documents. */
  ttlSweepSeconds: number
}

/** Milliseconds in which clients may close their side before a stop cuts the connection. */
const CLOSING_MS = 200

/** Opens the data and listens on 127.0.0.1. `stop` answers what has come in, then closes everything. */
export async function startServer({ path, port, ttlSweepSeconds }: ServerOptions) {
  const engine = openEngine(path)
  const sockets = new Set<Socket>()
  let unanswered = 0

  async function answer(socket: Socket, message: Buffer): Promise<void> {
    const request = readMessage(message)
    const reply = await engine.run(request.body)
    if (!request.isSilent && socket.writable) socket.write(writeReply(request, reply))
  }

  const server = createServer(socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    const frame = createFraming()
    // Each connection's commands one after the other: a read must not overtake a write that nobody waits for.
    let last = Promise.resolve()
    // What is not MongoDB's protocol ends the connection: it can't be read further, others can.
    const cut = () => void socket.destroy()
    socket.on('data', packet => {
      try {
        for (const message of frame(packet)) {
          unanswered += 1
          last = last.then(() => answer(socket, message)).catch(cut)
          last.then(() => {
            unanswered -= 1
          })
        }
      } catch {
        cut()
      }
    })
    socket.on('error', cut)
    socket.on('close', () => sockets.delete(socket))
  })

  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  } catch (error) {
    await engine.close()
    throw error
  }
  const sweeping = setInterval(() => {
    // A sweep that fails (a full disk) is tried again at the next turn.
    engine.sweep(new Date()).catch(() => {})
  }, ttlSweepSeconds * 1000)

  return {
    port: (server.address() as { port: number }).port,
    stop: async () => {
      clearInterval(sweeping)
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of sockets) socket.pause()
      while (unanswered > 0) await new Promise(setImmediate)
      for (const socket of sockets) socket.resume().end()
      const cutting = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, CLOSING_MS)
      await closed
      clearTimeout(cutting)
      await engine.close()
    },
  }
}
