import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve as absolute, dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReserveOptions } from './store/reserve.ts'

export { FolderInUse, lockFolder } from './store/storage.ts'

export interface EmbeddedMongo {
  /** Address for mongoose or the driver. */
  url: string
  /** Finishes received commands, closes the file and ends the thread. */
  stop(): Promise<void>
}

/** Length in bytes that a socket's path may have on every system. */
const SOCKET_PATH_BYTES = 100

/**
 * Starts a MongoDB-wire server over SQLite in a worker thread, on 127.0.0.1. Throws if the port or folder is taken.
 * @param options.path a folder for the SQLite file, or ':memory:'
 * @param options.port 0 (any free one) by default
 * @param options.socket listens on a Unix socket instead, which only this user can reach
 * @param options.reserve disk space for the writes of some databases; only with a folder
 * @param options.ttlSweepSeconds seconds between two sweeps of expired documents, 60 by default as in MongoDB
 */
export async function startEmbeddedMongo(options: {
  path: string
  port?: number
  socket?: boolean
  ttlSweepSeconds?: number
  reserve?: ReserveOptions
}): Promise<EmbeddedMongo> {
  const socket = options.socket ? socketFor(options.path) : undefined
  const settings = { port: 0, ttlSweepSeconds: 60, ...options, socket }
  const worker = new Worker(new URL('./server/server.ts', import.meta.url), {
    workerData: settings,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  // Rejects if the start fails. A later error has no listener and ends the process, which has lost its database.
  const [port] = (await once(worker, 'message').catch(async error => {
    // The thread's files are only closed once it has ended.
    await ended
    throw error
  })) as [number | undefined]
  const host = socket ? encodeURIComponent(socket) : `127.0.0.1:${port}`
  return {
    url: `mongodb://${host}/?directConnection=true`,
    async stop() {
      worker.postMessage('stop')
      await ended
      if (socket && !socket.startsWith(absolute(options.path)))
        rmSync(dirname(socket), { recursive: true, force: true })
    },
  }
}

/** Returns a socket's path in the folder, or, if that is too long, in a new folder that only this user can access. */
function socketFor(folder: string): string {
  const near = absolute(folder, 'mongo.sock')
  return Buffer.byteLength(near) <= SOCKET_PATH_BYTES
    ? near
    : join(mkdtempSync(join(tmpdir(), 'embedded-mongo-')), 'mongo.sock')
}
