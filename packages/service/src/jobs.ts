import type { Job } from './definition.ts'
import type { Logger } from './log.ts'

/** Runs each job by its clock, never twice at once. Answers how to stop them. */
export function startJobs(jobs: Job[], log: Logger): () => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const timers = jobs.map(job =>
    setInterval(() => {
      if (running.has(job.name)) return
      const run = job
        .run()
        .catch(error => log.error({ err: error, job: job.name }, 'a job failed'))
        .finally(() => running.delete(job.name))
      running.set(job.name, run)
    }, job.everyMs),
  )
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(running.values())
  }
}
