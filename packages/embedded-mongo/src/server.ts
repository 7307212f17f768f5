import { createServer, type Socket } from 'node:net'
import { openCatalog } from './catalog.ts'
import type { Engine } from './commands/command.ts'
import { runCommand } from './commands/run-command.ts'
import { createCursors } from './cursors.ts'
import { failureOf } from './errors.ts'
import { createGroupCommit } from './group-commit.ts'
import { createRecords } from './records.ts'
import { openStorage } from './storage.ts'
import { sweepExpired } from './ttl.ts'
import type { Doc } from './values.ts'
import { createFraming, type Request, readMessage, writeReply } from './wire.ts'

export type ServerOptions = {
  /** A folder, or ':memory:'. */
  path: string
  port: number
  /** Seconds between two sweeps of expired documents. */
  ttlSweepSeconds: number
}

/** Opens the data and listens on 127.0.0.1. `stop` answers what has come in, then closes everything. */
export const startServer = async ({ path, port, ttlSweepSeconds }: ServerOptions) => {
  const storage = openStorage(path)
  const catalog = openCatalog(storage)
  const engine: Engine = {
    storage,
    catalog,
    records: createRecords(storage, catalog),
    cursors: createCursors(),
  }
  const commits = createGroupCommit(storage, catalog.reload)
  const sockets = new Set<Socket>()

  const serve = (socket: Socket) => {
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
  }

  const answer = async (socket: Socket, request: Request) => {
    const reply = await runCommand(engine, commits, request.body)
    if (request.silent || !socket.writable) return
    socket.write(bytesOf(request, reply))
  }

  const bytesOf = (request: Request, reply: Doc) => {
    try {
      return writeReply(request, reply)
    } catch (error) {
      return writeReply(request, failureOf(error))
    }
  }

  const sweeping = setInterval(() => {
    engine.cursors.expire(Date.now())
    commits.run(true, () => sweepExpired(engine, new Date())).catch(() => {})
  }, ttlSweepSeconds * 1000)

  const server = createServer(serve)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  } catch (error) {
    clearInterval(sweeping)
    storage.close()
    throw error
  }

  return {
    port: (server.address() as { port: number }).port,
    stop: async () => {
      clearInterval(sweeping)
      const closed = new Promise(resolve => server.close(resolve))
      commits.flush()
      await new Promise(setImmediate) // by then the answers are written
      for (const socket of sockets) socket.end()
      await Promise.race([closed, new Promise(resolve => setTimeout(resolve, 200).unref())])
      for (const socket of sockets) socket.destroy()
      await closed
      storage.close()
    },
  }
}
