import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sendNote } from '../outside.ts'
import { quantile, type Row, type Sides } from '../row.ts'
import { millisecondsOf, startBench } from '../system.ts'

const BASELINE =
  '`lab/bench/plain/webhook.ts`: Express, HMAC, a line appended and synced to the disk before the answer'
const EACH = 100
/** Half the rate of the slower side. */
const PACE_MS = 20
const WAITING = 1_200
const CLIENTS = 16
/** Downloads stay held while webhooks are measured. */
const HELD = { MEDIA_IDLE_TIMEOUT: '30m', MEDIA_DOWNLOAD_TIMEOUT: '30m' }

const ONE_THREAD =
  'All services share one thread here: a webhook takes about 0.65 ms of it, the script 0.2 ms. Driver and insert take ' +
  '29 %, Express and its body parser 22 %, HTTP 8 %, metrics, traces and logs 7 %, signature and validation 6 %. The ' +
  'receipt with its event is one document in five indexes, synced once.'

/** Sends a note's webhook to a server. */
type Post = (url: string) => Promise<void>

async function openBoth(
  measure: (post: () => Promise<void>) => Promise<number[]>,
  waiting = 0,
): Promise<Sides> {
  const bench = await startBench({ env: HELD })
  const folder = await mkdtemp(join(tmpdir(), 'bench-webhook-'))
  const plain = startPlain(join(folder, 'lines'), bench.graph.settings.WHATSAPP_APP_SECRET)
  const [port] = await once(plain.stdout!, 'data')
  const { number } = await bench.personFor(1)
  const post: Post = async url => {
    await sendNote(url, number, crypto.randomUUID())
  }
  bench.graph.hold()
  let sent = 0
  await clients(
    CLIENTS,
    () => sent++ < waiting,
    () => post(bench.system.appUrl),
  )
  return {
    ours: () => measure(() => post(bench.system.appUrl)),
    plain: () => measure(() => post(`http://127.0.0.1:${Number(port)}`)),
    async close() {
      plain.kill()
      await bench.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const startPlain = (file: string, secret: string): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, '../plain/webhook.ts'), file, secret], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function timesOf(post: () => Promise<void>, paceMs = 0): Promise<number[]> {
  const times: number[] = []
  for (let request = 0; request < EACH; request++) {
    const took = await millisecondsOf(post)
    times.push(took)
    if (paceMs > took) await wait(paceMs - took)
  }
  return times
}

/** Concurrent clients, each sending one request after another while `isMore`. */
async function clients(count: number, isMore: () => boolean, work: () => Promise<void>): Promise<void> {
  const client = async () => {
    while (isMore()) await work()
  }
  await Promise.all(Array.from({ length: count }, client))
}

export const WEBHOOK_ROWS: Row[] = [
  {
    name: 'webhook',
    title: 'Webhook alone',
    baseline: BASELINE,
    figures: [
      { name: 'p50', unit: 'ms', goal: { ratioAtMost: 1.5 } },
      { name: 'p99', unit: 'ms', goal: { ratioAtMost: 2 } },
    ],
    inTheWay: ONE_THREAD,
    seconds: 15,
    open: () =>
      openBoth(async post => {
        const times = await timesOf(post)
        return [quantile(times, 0.5), quantile(times, 0.99)]
      }),
  },
  {
    name: 'webhook-waiting',
    title: `Webhook at half rate with ${WAITING} notes waiting`,
    baseline: BASELINE,
    figures: [{ name: 'p50', unit: 'ms', goal: { atMost: 5 } }],
    inTheWay: ONE_THREAD,
    seconds: 40,
    open: () => openBoth(async post => [quantile(await timesOf(post, PACE_MS), 0.5)], WAITING),
  },
]
