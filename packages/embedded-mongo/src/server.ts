import { createServer, type Socket } from 'node:net'
import { openEngine } from './engine.ts'
import { failureOf } from './errors.ts'
import type { Doc } from './values.ts'
import { createFraming, type Request, readMessage, writeReply } from './wire.ts'

export type ServerOptions = {
  /** A folder, or ':memory:'. */
  path: string
  port: number
  /** Seconds between two sweeps of expired documents. */
  ttlSweepSeconds: number
}

/** Milliseconds in which clients may close their side before a stop cuts the connection. */
const closingMs = 200

/** Opens the data and listens on 127.0.0.1. `stop` answers what has come in, then closes everything. */
export const startServer = async ({ path, port, ttlSweepSeconds }: ServerOptions) => {
  const engine = openEngine(path)
  const sockets = new Set<Socket>()
  let unanswered = 0

  const answer = async (socket: Socket, request: Request) => {
    unanswered += 1
    const reply = await engine.run(request.body)
    unanswered -= 1
    if (!request.silent && socket.writable) socket.write(replyBytes(request, reply))
  }

  const server = createServer(socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    const frame = createFraming()
    socket.on('data', packet => {
      try {
        for (const message of frame(packet)) answer(socket, readMessage(message))
      } catch {
        socket.destroy() // Not MongoDB's protocol: this connection can't be read further, others can.
      }
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })

  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  } catch (error) {
    engine.close()
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
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, closingMs)
      await closed
      clearTimeout(cut)
      engine.close()
    },
  }
}

/** A reply that can't be written (too large, an unknown type) is answered as the failure that it is. */
const replyBytes = (request: Request, reply: Doc): Buffer => {
  try {
    return writeReply(request, reply)
  } catch (error) {
    return writeReply(request, failureOf(error))
  }
}
