import { Worker } from 'node:worker_threads'

/** Starts a worker thread. `stop` asks it to end and resolves once it has. */
export function startThread(file: URL, workerData: object) {
  const worker = new Worker(file, { workerData, execArgv: ['--disable-warning=ExperimentalWarning'] })
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  return {
    worker,
    ended,
    stop(): Promise<void> {
      worker.postMessage('stop')
      return ended
    },
  }
}
