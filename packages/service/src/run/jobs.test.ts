import { eventually, silentLog } from '../testing.ts'
import { startJobs } from './jobs.ts'

function jobThat(run: () => Promise<void>) {
  let runs = 0
  const count = () => {
    runs += 1
    return run()
  }
  return { job: { name: 'test', everyMs: 1, run: count }, hasBegun: () => eventually(() => runs > 0) }
}

test('when a job hangs, then the stop waits a limited time', async () => {
  const { job, hasBegun } = jobThat(() => new Promise(() => {}))
  const stop = startJobs([job], silentLog, 10)
  await hasBegun()
  await stop()
})

test('when a job runs, then the stop waits until it is done', async () => {
  const done = Promise.withResolvers<void>()
  const { job, hasBegun } = jobThat(() => done.promise)
  const stop = startJobs([job], silentLog, 60_000)
  await hasBegun()
  let hasStopped = false
  const stopped = stop().then(() => {
    hasStopped = true
  })
  await new Promise(setImmediate)
  expect(hasStopped).toBe(false)
  done.resolve()
  await stopped
})
