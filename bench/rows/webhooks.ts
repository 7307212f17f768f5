import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { signUp } from '../../e2e/testing/person.ts'
import { fillHistory } from '../history-notes.ts'
import { sendNote } from '../outside.ts'
import { quantile, type Row, type Sides } from '../row.ts'
import { millisecondsOf, startBench } from '../system.ts'

const BASELINE =
  '`bench/plain/webhook.ts`: Express, HMAC, a line appended and synced to the disk before the answer'
const EACH = 100
/** Half of what the slowest of both sides took in when this was written. */
const PACE_MS = 20
const WAITING = 1_200
const CLIENTS = 16
const READ = 20_000
/** Queries of the reader, in turns. */
const READS = [{}, { page: 10 }, { status: 'failed' }, { search: 'often half' }, { search: 'comm' }]
const STORM_MS = 1_000
/** No note leaves the queue while webhooks are measured. */
const HELD = { MEDIA_IDLE_TIMEOUT: '30m', MEDIA_DOWNLOAD_TIMEOUT: '30m' }

const ONE_THREAD =
  'All services share one thread here, and a webhook takes about 0.65 ms of it, the script 0.2 ms. By the profile: the ' +
  'driver and the insert 29 %, Express (gateway and ingestion) and its body parser 22 %, Node’s HTTP 8 %, metrics, ' +
  'traces and logs 7 %, the signature and the check of what came 6 %, collections 6 %, ids and events 5 %. The receipt ' +
  'with its event is one document in five indexes, some ten pages of the log, synced once by the database’s thread.'

/** A server that answers webhooks, and how a note's webhook is sent to it. */
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

/** So many clients, each with one request after another while there is more to do. */
async function clients(count: number, isMore: () => boolean, work: () => Promise<void>): Promise<void> {
  const client = async () => {
    while (isMore()) await work()
  }
  await Promise.all(Array.from({ length: count }, client))
}

async function storm(post: () => Promise<void>): Promise<number[]> {
  const end = performance.now() + STORM_MS
  let sent = 0
  const one = async () => {
    await post()
    sent += 1
  }
  const took = await millisecondsOf(() => clients(CLIENTS, () => performance.now() < end, one))
  return [(1000 * sent) / took]
}

/** Another person's webhook while one with so many notes reads their lists, beside the same while no one reads. */
async function openReader(): Promise<Sides> {
  const bench = await startBench({ env: { ...HELD, RATE_LIMITS: 'off' } })
  const { number } = await bench.personFor(1)
  const reader = await signUp(bench.system)
  const mongoUrl = `mongodb://${encodeURIComponent(join(bench.system.dataDir, 'mongo/mongo.sock'))}/?directConnection=true`
  await fillHistory(mongoUrl, 'voxscribe_transcription', reader.user.id, { notes: READ })
  bench.graph.hold()
  const times = () =>
    timesOf(async () => void (await sendNote(bench.system.appUrl, number, crypto.randomUUID())))
  return {
    async ours() {
      let isOver = false
      let next = 0
      const reading = clients(
        1,
        () => !isOver,
        async () => {
          await reader.transcriptions({ page: 1, ...READS[next++ % READS.length] })
        },
      )
      const taken = await times()
      isOver = true
      await reading
      return [quantile(taken, 0.5)]
    },
    plain: async () => [quantile(await times(), 0.5)],
    close: bench.close,
  }
}

export const webhookRows: Row[] = [
  {
    name: 'webhook',
    title: 'Webhook alone',
    baseline: BASELINE,
    figures: [
      { name: 'p50', unit: 'ms', before: '17 ms', goal: { ratioAtMost: 1.5 }, inTheWay: ONE_THREAD },
      { name: 'p99', unit: 'ms', before: '44 ms', goal: { ratioAtMost: 2 }, inTheWay: ONE_THREAD },
    ],
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
    figures: [{ name: 'p50', unit: 'ms', before: '203 ms', goal: { atMost: 5 }, inTheWay: ONE_THREAD }],
    seconds: 40,
    open: () => openBoth(async post => [quantile(await timesOf(post, PACE_MS), 0.5)], WAITING),
  },
  {
    name: 'webhook-storm',
    title: `Durable webhooks, ${CLIENTS} clients`,
    baseline: BASELINE,
    figures: [
      { name: 'taken in', unit: '/s', before: '94–107/s', goal: { ratioAtLeast: 0.7 }, inTheWay: ONE_THREAD },
    ],
    seconds: 30,
    open: () => openBoth(storm),
  },
  {
    name: 'webhook-reader',
    title: `Another person's webhook while one with ${READ} notes reads`,
    baseline: 'the same, while no one reads',
    figures: [
      {
        name: 'p50',
        unit: 'ms',
        before: '5 → 1378 ms',
        goal: { ratioAtMost: 1.5 },
        inTheWay:
          'The database reads in a thread of its own, but the reader’s pages follow each other without a pause and take 1.5 ms of processor time each, most of it on the thread that webhooks are answered on (Express, mongoose, JSON).',
      },
    ],
    seconds: 70,
    open: openReader,
  },
]
