// Ten times what the machine can take in, as webhooks: how long answers take, how many are refused, how much memory is
// used, and whether everything that was taken in is done in the end.
// Run: node --disable-warning=ExperimentalWarning bench/overload.ts [seconds, default 120] [times, default 10]
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answered, startFlood } from '../e2e/testing/flood.ts'

const [seconds = 120, times = 10] = process.argv.slice(2).map(Number)
const CALIBRATED_MS = 5_000
const AT_ONCE = 16
/** When nothing has come about for so long, nothing will. */
const STUCK_MS = 60_000

const { system, send, answered, stop } = await startFlood()

/** Megabytes that the process has in memory. */
function memory(): number {
  const { pid } = system.process('voxscribe')
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** The highest of each third. */
function inThirds(values: number[]): string {
  const third = Math.ceil(values.length / 3)
  return [0, 1, 2].map(at => Math.max(...values.slice(at * third, (at + 1) * third)).toFixed(0)).join(', ')
}

/** Returns how many webhooks a second the machine takes in when it is asked as fast as it answers. */
async function capacity(): Promise<number> {
  const until = performance.now() + CALIBRATED_MS
  let taken = 0
  const client = async () => {
    while (performance.now() < until) if ((await send()).status === 200) taken += 1
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return (taken * 1000) / CALIBRATED_MS
}

try {
  const perSecond = await capacity()
  const before = memory()
  const all: Promise<Answered>[] = []
  const started = performance.now()
  const memories: number[] = []
  while (performance.now() - started < seconds * 1000) {
    const due = ((performance.now() - started) / 1000) * perSecond * times
    while (all.length < due) all.push(send())
    memories.push(memory())
    await wait(10)
  }
  const offered = all.length / ((performance.now() - started) / 1000)
  const answers = await Promise.all(all)
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(0)
  const taken = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status, comesAgain }) => status === 503 && comesAgain)
  const lost = answers.length - taken.length - refused.length
  process.stdout.write(
    `${perSecond.toFixed(0)}/s can be taken in; ${offered.toFixed(0)}/s were sent for ${seconds} s\n` +
      `answered in ${at(0.5)} ms at the median, ${at(0.95)} ms at p95, ${at(0.99)} ms at p99\n` +
      `taken in ${taken.length}, refused with Retry-After ${refused.length}, neither ${lost}\n` +
      `memory ${before.toFixed(0)} MB before, at most ${inThirds(memories)} MB in each third of the time\n`,
  )
  const begun = performance.now()
  let missing = taken.length
  let moved = begun
  while (missing && performance.now() - moved < STUCK_MS) {
    await wait(1_000)
    const done = answered()
    const left = taken.filter(({ from }) => !done.has(from)).length
    if (left < missing) moved = performance.now()
    missing = left
  }
  process.stdout.write(`all but ${missing} done ${((performance.now() - begun) / 1000).toFixed(0)} s later\n`)
} finally {
  await stop()
}
