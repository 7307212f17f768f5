// The cost of a note in each part, the throughput of 1, 2 and 4 processes of transcription, and from these figures the
// first bottleneck at 10, 1,000 and 100,000 notes a minute.
// Run: node lab/bench/studies/scale.ts [--write] — with ffmpeg and rabbitmq-server; `--write` writes the tables of docs/scale.md.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SERVICES } from '@voxscribe/contracts/events'
import { MESSAGES } from '../../../e2e/note-budget.ts'
import { cpuOf } from '../processes.ts'
import { quantile } from '../row.ts'
import { startReplicas } from '../rows/many-notes.ts'
import { table, writeTables } from './scale-page.ts'

const NOTES = 24
const LOADS = [10, 1_000, 100_000]

/** Processor seconds of one note, by part. */
type Cost = Record<string, number>
/** Messages that the broker delivers for a note. */
const DELIVERIES = MESSAGES.deliver?.[0] ?? 0

/** Idle time that is measured and subtracted. */
const IDLE_MS = 15_000

async function costOfNote({ system, measure }: Awaited<ReturnType<typeof startReplicas>>): Promise<Cost> {
  /** Processor seconds of each part so far. */
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
  // After the answer minutes are settled.
  await wait(3_000)
  const after = await look()
  const each = Object.entries(after.seconds).map(([name, seconds]) => {
    const idleShare = (before.seconds[name]! - idle.seconds[name]!) / (before.at - idle.at)
    const used = seconds - before.seconds[name]! - idleShare * (after.at - before.at)
    return [name, Math.max(0, used) / NOTES]
  })
  return Object.fromEntries(each)
}

/** A part of the system: its time per note, and its parallelism. */
interface Station {
  name: string
  seconds: number
  servers: number
}

const SIMULATED_NOTES = 20_000

/** Simulates notes that arrive at random and pass each station in turn; returns their waits in seconds. */
function simulate(stations: Station[], perMinute: number): number[] {
  const free = stations.map(({ servers }) => new Float64Array(servers))
  const waits: number[] = []
  let random = 42
  const next = () => {
    // A linear congruential generator: the same run gives the same table.
    random = (random * 1_664_525 + 1_013_904_223) % 2 ** 32
    return -Math.log((random + 1) / 2 ** 32)
  }
  let arrival = 0
  for (let note = 0; note < SIMULATED_NOTES; note++) {
    arrival += (next() * 60) / perMinute
    let at = arrival
    let waited = 0
    for (const [which, { seconds }] of stations.entries()) {
      const servers = free[which]!
      let first = 0
      for (let server = 1; server < servers.length; server++)
        if (servers[server]! < servers[first]!) first = server
      const begins = Math.max(at, servers[first]!)
      waited += begins - at
      at = begins + seconds
      servers[first] = at
    }
    waits.push(waited)
  }
  return waits
}

/** The engine's seconds for a note, and how many calls one process makes at once. */
const ENGINE = { seconds: 1, atOnce: 8 }
/** Utilisation above which a busy minute causes a queue. */
const FULL = 0.7

function stationsFor(seconds: Cost, processes: Record<string, number>): Station[] {
  const ofProcess = (name: string) => ({ name, seconds: seconds[name] ?? 0, servers: processes[name] ?? 1 })
  const engine = {
    name: 'engine',
    seconds: ENGINE.seconds,
    servers: ENGINE.atOnce * (processes.transcription ?? 1),
  }
  return [
    ...['gateway', 'ingestion', 'database', 'transcription'].map(ofProcess),
    engine,
    ofProcess('billing'),
    ofProcess('notification'),
  ]
}

const usedOf = ({ seconds, servers }: Station, perMinute: number) => (seconds * perMinute) / 60 / servers

/** Instances of each part that keep it below `FULL`. */
const neededFor = (cost: Cost, perMinute: number): Record<string, number> =>
  Object.fromEntries(
    stationsFor(cost, {}).flatMap(({ name, seconds, servers }) => {
      const count = Math.max(1, Math.ceil((seconds * perMinute) / 60 / FULL / servers))
      return name === 'engine' ? [] : [[name, count]]
    }),
  )

function loadRows(cost: Cost): (string | number)[][] {
  return LOADS.map(perMinute => {
    const alone = stationsFor(cost, {}).toSorted((a, b) => usedOf(b, perMinute) - usedOf(a, perMinute))
    const [fullest, second] = alone as [Station, Station]
    const needed = neededFor(cost, perMinute)
    needed.transcription = Math.max(
      needed.transcription ?? 1,
      Math.ceil((ENGINE.seconds * perMinute) / 60 / FULL / ENGINE.atOnce),
    )
    const waits = simulate(stationsFor(cost, needed), perMinute)
    const used = ({ name, ...station }: Station) =>
      `${name} ${Number((100 * usedOf({ name, ...station }, perMinute)).toPrecision(2)).toLocaleString('en')} %`
    const counts = Object.entries(needed).map(([name, count]) => `${name} ${count}`)
    const messages = Math.round((DELIVERIES * perMinute) / 60)
    return [
      perMinute.toLocaleString('en'),
      `${used(fullest)}, ${used(second)}`,
      counts.join(', '),
      messages,
      `${quantile(waits, 0.95).toFixed(2)} s`,
    ]
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
      'waiting, p95',
    ],
    loadRows(cost),
  ),
}
for (const lines of Object.values(tables)) process.stdout.write(`${lines.join('\n')}\n\n`)
if (options.write) await writeTables(tables)
process.exit()
