import { Worker } from 'node:worker_threads'

/** Starts the thread that reads on its own connection, so that nobody's long read holds up a write. */
export function startReader(path: string) {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    workerData: { path },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  // The thread answers in the order in which it is asked.
  const waiting: ((reply: Uint8Array) => void)[] = []
  worker.on('message', (reply: Uint8Array) => waiting.shift()!(reply))
  return {
    /** Gives the encoded reply to an encoded command that only reads. */
    run(body: Uint8Array): Promise<Uint8Array> {
      worker.postMessage(body)
      return new Promise(resolve => waiting.push(resolve))
    },
    stop(): Promise<void> {
      worker.postMessage('stop')
      return ended
    },
  }
}
