import { settledWithin } from '@voxscribe/messaging'
import type { Logger } from '../observe/log.ts'
import type { Job } from './definition.ts'

/** Longest wait for jobs at the stop: one that waits for a dead database would use up all of the time. */
const STOP_WAIT_MS = 2_000

/** Runs each job periodically, never twice at once. Returns a function that stops them. */
export function startJobs(jobs: Job[], log: Logger, stopWaitMs = STOP_WAIT_MS): () => Promise<void> {
  const running = new Map<string, Promise<void>>()
  function start(job: Job): void {
    if (running.has(job.name)) return
    const run = job
      .run()
      .catch(error => log.error({ err: error, job: job.name }, 'a job failed'))
      .finally(() => running.delete(job.name))
    running.set(job.name, run)
  }
  const timers = jobs.map(job => setInterval(start, job.everyMs, job))
  for (const job of jobs) if (job.firstMs !== undefined) timers.push(setTimeout(start, job.firstMs, job))
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await settledWithin(stopWaitMs, Promise.all(running.values()))
  }
}
