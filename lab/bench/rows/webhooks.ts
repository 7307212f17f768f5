import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { noteWebhook } from '../outside.ts'
import { quantile, type Row, type Sides } from '../row.ts'
import { millisecondsOf, startBench, startPlain } from '../system.ts'

const BASELINE =
  '`lab/bench/plain/webhook.ts`: Express, HMAC, a line appended and synced to the disk before the answer'
/** Webhooks per measurement at half rate. */
const EACH = 100
/** Webhooks per measurement at full rate, and in the first burst, which sets the pace. */
const BURST = 300
const WAITING = 1_200
const CLIENTS = 16
/** Holds downloads while webhooks are measured. */
const HELD = { MEDIA_IDLE_TIMEOUT: '30m', MEDIA_DOWNLOAD_TIMEOUT: '30m' }

const ONE_THREAD =
  'All services share one thread here. Of its time mongoose and the driver take 25 %, garbage 18 %, writing to sockets ' +
  '10 %, BSON and checks of events 6 %. A webhook makes five database commands: whose a sender is, is read each time, as ' +
  'other processes may change it. The receipt is one document in six indexes, synced once.'

type Webhook = ReturnType<typeof noteWebhook>['webhook']

/** One side of the comparison. Its webhooks are made before the clock runs. */
interface Side {
  make(count: number): Webhook[]
  send(webhook: Webhook): Promise<void>
}

/** Measures a side; `paceMs` is twice the time that the slower side takes for a webhook at full rate. */
type Measuring = (side: Side, paceMs: number) => Promise<number[]>

async function openBoth(measure: Measuring, waiting = BURST): Promise<Sides> {
  const bench = await startBench({ env: HELD })
  const folder = await mkdtemp(join(tmpdir(), 'bench-webhook-'))
  const program = await startPlain(
    'webhook.ts',
    join(folder, 'lines'),
    bench.graph.settings.WHATSAPP_APP_SECRET,
  )
  const { number } = await bench.personFor(1)
  bench.graph.hold()
  const agent = new Agent({ keepAlive: true })
  const sideAt = (url: string): Side => ({
    make: count => Array.from({ length: count }, () => noteWebhook(number, crypto.randomUUID()).webhook),
    send: webhook => post(agent, url, webhook),
  })
  const ours = sideAt(bench.system.appUrl)
  const plain = sideAt(program.url)
  const slower = Math.min(await rateOf(ours, waiting), await rateOf(plain, BURST))
  const paceMs = 2_000 / slower
  return {
    ours: () => measure(ours, paceMs),
    plain: () => measure(plain, paceMs),
    async close() {
      agent.destroy()
      program.stop()
      await bench.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Uses Node's own client, because `fetch` takes three times as long, which would add to the times of both sides. */
async function post(agent: Agent, url: string, { body, headers }: Webhook): Promise<void> {
  const sent = request(`${url}/webhooks/whatsapp`, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  sent.end(body)
  const [response]: [IncomingMessage] = (await once(sent, 'response')) as never
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`The webhook was answered with ${response.statusCode}`)
}

/** Returns webhooks per second with several clients, each of which sends one after another. */
async function rateOf({ make, send }: Side, count: number): Promise<number> {
  const webhooks = make(count)
  const client = async () => {
    for (let next = webhooks.pop(); next; next = webhooks.pop()) await send(next)
  }
  const all = () => Promise.all(Array.from({ length: CLIENTS }, client))
  return (1000 * count) / (await millisecondsOf(all))
}

/** Returns milliseconds of each webhook; one is sent every `paceMs`, whether or not the previous ones are answered. */
async function timesOf({ make, send }: Side, paceMs: number): Promise<number[]> {
  const webhooks = make(EACH)
  const began = performance.now()
  const times: Promise<number>[] = []
  for (const [at, webhook] of webhooks.entries()) {
    const early = began + at * paceMs - performance.now()
    if (early > 0) await wait(early)
    times.push(millisecondsOf(() => send(webhook)))
  }
  return Promise.all(times)
}

export const WEBHOOK_ROWS: Row[] = [
  {
    name: 'webhook',
    title: 'Webhook at half rate',
    baseline: `${BASELINE}; both at half of what the slower side can do`,
    figures: [
      { name: 'p50', unit: 'ms', goal: { ratioAtMost: 1.5 } },
      { name: 'p99', unit: 'ms', goal: { atMost: 50 } },
    ],
    inTheWay: ONE_THREAD,
    seconds: 15,
    open: () =>
      openBoth(async (side, paceMs) => {
        const times = await timesOf(side, paceMs)
        return [quantile(times, 0.5), quantile(times, 0.99)]
      }),
  },
  {
    name: 'webhook-full',
    title: `Webhooks of ${CLIENTS} clients at full rate`,
    baseline: BASELINE,
    figures: [{ name: 'webhooks', unit: '/s', goal: { atLeast: 300 } }],
    inTheWay: ONE_THREAD,
    seconds: 20,
    open: () => openBoth(async side => [await rateOf(side, BURST)]),
  },
  {
    name: 'webhook-waiting',
    title: `Webhook at half rate with ${WAITING} notes waiting`,
    baseline: BASELINE,
    figures: [{ name: 'p50', unit: 'ms', goal: { atMost: 5 } }],
    inTheWay: ONE_THREAD,
    seconds: 20,
    open: () => openBoth(async (side, paceMs) => [quantile(await timesOf(side, paceMs), 0.5)], WAITING),
  },
]
