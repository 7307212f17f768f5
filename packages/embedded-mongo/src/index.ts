import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface EmbeddedMongo {
  /** For mongoose or the driver. */
  url: string
  port: number
  /** Finishes the commands that have come in, closes the file and ends the thread. */
  stop(): Promise<void>
}

/**
 * Starts a MongoDB-wire server over SQLite in a worker thread, on 127.0.0.1.
 * @param options.path a folder for the SQLite file, or ':memory:'
 * @param options.port 0 (any free one) by default
 * @param options.ttlSweepSeconds seconds between two sweeps of expired documents, 60 by default as in MongoDB
 * @throws when the port is taken, or another server has the folder open
 */
export async function startEmbeddedMongo(options: {
  path: string
  port?: number
  ttlSweepSeconds?: number
}): Promise<EmbeddedMongo> {
  const worker = new Worker(new URL('./server.ts', import.meta.url), {
    workerData: { port: 0, ttlSweepSeconds: 60, ...options },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  // Throws an error of the start. A later one has no listener and ends the process, for its database is gone.
  const [port] = (await once(worker, 'message')) as [number]
  return {
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    port,
    stop: () => {
      worker.postMessage('stop')
      return ended
    },
  }
}
