import { Worker } from 'node:worker_threads'

export interface Reader {
  /** Gives the encoded reply to an encoded command that only reads. */
  run(body: Uint8Array): Promise<Uint8Array>
  stop(): Promise<void>
}

/** Starts the thread that reads on a connection of its own, so that nobody's long read holds up a write. */
export function startReader(path: string): Reader {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    workerData: { path },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  // The thread answers in the order in which it is asked.
  const waiting: ((reply: Uint8Array) => void)[] = []
  worker.on('message', (reply: Uint8Array) => waiting.shift()!(reply))
  return {
    run: body =>
      new Promise(resolve => {
        waiting.push(resolve)
        worker.postMessage(body)
      }),
    stop: async () => {
      worker.postMessage('stop')
      await ended
    },
  }
}
