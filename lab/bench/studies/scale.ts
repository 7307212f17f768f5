// Measures the cost of a note in each part and the throughput of 1, 2 and 4 processes of transcription, and derives the
// first bottleneck at 10, 1,000 and 100,000 notes per minute. Run: node lab/bench/studies/scale.ts [--write] — with
// ffmpeg and rabbitmq-server; `--write` writes the tables of docs/scale.md.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SERVICES } from '@voxscribe/contracts/events'
import { MESSAGES } from '../../../e2e/note-budget.ts'
import { table, writeBetween } from '../pages.ts'
import { cpuOf } from '../processes.ts'
import { startReplicas } from '../rows/many-notes.ts'

const NOTES = 24
const LOADS = [10, 1_000, 100_000]

/** Processor seconds per note, by part. */
type Cost = Record<string, number>
/** Messages that the broker delivers per note. */
const DELIVERIES = MESSAGES.deliver?.[0] ?? 0

/** Idle time that is measured, and whose cost is subtracted. */
const IDLE_MS = 15_000

async function costOfNote({ system, measure }: Awaited<ReturnType<typeof startReplicas>>): Promise<Cost> {
  /** Returns the processor seconds of each part so far. */
  const look = async () => {
    const seconds: Record<string, number> = {}
    for (const name of SERVICES) seconds[name] = cpuOf(system.process(name).pid!)
    const { user, system: kernel } = process.cpuUsage()
    seconds.database = (user + kernel) / 1e6
    return { at: performance.now() / 1000, seconds }
  }
  // The first notes also pay for compilation.
  await measure()
  const idle = await look()
  await wait(IDLE_MS)
  const before = await look()
  await measure()
  // Minutes are settled after the answer.
  await wait(3_000)
  const after = await look()
  const each = Object.entries(after.seconds).map(([name, seconds]) => {
    const idleShare = (before.seconds[name]! - idle.seconds[name]!) / (before.at - idle.at)
    const used = seconds - before.seconds[name]! - idleShare * (after.at - before.at)
    return [name, Math.max(0, used) / NOTES]
  })
  return Object.fromEntries(each)
}

/** A part of the system, and the seconds for which a note keeps one process of it busy. */
interface Station {
  name: string
  seconds: number
}

const PARTS = ['gateway', 'ingestion', 'database', 'transcription', 'billing', 'notification']
/** The engine's seconds per note, divided by the concurrent calls of one process of transcription. */
const ENGINE: Station = { name: 'engine', seconds: 1 / 8 }
/** Utilization above which a busy minute causes a queue. */
const FULL = 0.7

function loadRows(cost: Cost): (string | number)[][] {
  const parts = PARTS.map((name): Station => ({ name, seconds: cost[name] ?? 0 }))
  return LOADS.map(perMinute => {
    const usedOf = ({ seconds }: Station) => (seconds * perMinute) / 60
    const shown = (station: Station) =>
      `${station.name} ${Number((100 * usedOf(station)).toPrecision(2)).toLocaleString('en')} %`
    const neededOf = (station: Station) => Math.max(1, Math.ceil(usedOf(station) / FULL))
    const fullest = [...parts, ENGINE].toSorted((a, b) => usedOf(b) - usedOf(a)).slice(0, 2)
    const counts = parts.map(part => {
      const count = neededOf(part)
      return `${part.name} ${part.name === 'transcription' ? Math.max(count, neededOf(ENGINE)) : count}`
    })
    const messages = Math.round((DELIVERIES * perMinute) / 60)
    return [perMinute.toLocaleString('en'), fullest.map(shown).join(', '), counts.join(', '), messages]
  })
}

async function measured() {
  const rates: [processes: number, rate: number][] = []
  let cost: Cost | undefined
  for (const processes of [1, 2, 4]) {
    const replicas = await startReplicas(processes, NOTES)
    try {
      cost ??= await costOfNote(replicas)
      const [rate = 0] = await replicas.measure()
      rates.push([processes, rate])
      process.stderr.write(`${processes}: ${rate.toFixed(2)} notes a second\n`)
    } finally {
      await replicas.close()
    }
  }
  return { cost: cost!, rates }
}

const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const { cost, rates } = await measured()
const milliseconds = (seconds: number) => `${(1000 * seconds).toFixed(0)} ms`
const all = Object.values(cost).reduce((sum, seconds) => sum + seconds, 0)
const tables: Record<string, string[]> = {
  costs: table(
    [...Object.keys(cost), 'all', 'broker messages'],
    [[...[...Object.values(cost), all].map(milliseconds), DELIVERIES]],
  ),
  replicas: table(
    ['processes of transcription', 'notes a second', 'relative to one'],
    rates.map(([count, rate]) => [count, rate.toFixed(2), `${(rate / rates[0]![1]).toFixed(2)}x`]),
  ),
  loads: table(
    [
      'notes a minute',
      'first bottlenecks, with one instance each',
      'instances needed below 70 %',
      'broker messages a second',
    ],
    loadRows(cost),
  ),
}
for (const lines of Object.values(tables)) process.stdout.write(`${lines.join('\n')}\n\n`)
if (options.write) await writeBetween('docs/scale.md', tables)
process.exit()
