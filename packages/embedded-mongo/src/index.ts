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
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { port: 0, ttlSweepSeconds: 60, ...options },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  // Not `once`: an error that ends the thread later must end the process too, for its database is gone.
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  const [started] = (await once(worker, 'message')) as [{ port: number } | { failed: string }]
  if ('failed' in started) {
    await ended
    throw new Error(started.failed)
  }
  let stopping: Promise<void> | undefined
  const stop = async () => {
    worker.postMessage('stop')
    await ended
  }
  return {
    url: `mongodb://127.0.0.1:${started.port}/?directConnection=true`,
    port: started.port,
    stop: () => (stopping ??= stop()),
  }
}
