// The calls of the history for a person with 100 notes, and with 1,000, 20,000 and 50,000: medians of turns, and the
// ratio to 100. The service answers over HTTP, on the embedded database in a file.
// Run: node bench/history.ts [turns] [largest]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { runService } from '@voxscribe/service'
import { startTestBackings, testBus, tokenFor } from '@voxscribe/service/testing'
import { MongoClient } from 'mongodb'
import { transcriptionService } from '../services/transcription/src/service.ts'

const TURNS = Number(process.argv[2] ?? 30)
const LARGEST = Number(process.argv[3] ?? 50_000)
const SIZES = [100, 1_000, 20_000, 50_000].filter(size => size <= LARGEST)
const CALLS = {
  'first page': '',
  'page 10': 'page=10',
  'of a status': 'status=failed',
  'of a language': 'language=es',
  'of a week': 'from=2026-01-05&to=2026-01-11',
  'search, common': 'search=common',
  'search, rare': 'search=rare',
  'search, two words': 'search=often+half',
} as const

const WORDS = Array.from({ length: 2_000 }, (_, n) => `w${n.toString(36)}`)

/** As the service of an older version left it: uncounted, and without words. */
function noteOf(userId: string, n: number) {
  const some = Array.from({ length: 40 }, (_, at) => WORDS[(n * 31 + at * at * 17) % WORDS.length])
  // By place, so that pages of all sizes hold the same.
  const words = ['common', ...(n % 2 ? ['half'] : ['often']), ...(n % 3 ? [] : ['often', 'half']), ...some]
  const isRare = n < 5
  return {
    _id: `${userId}-${n}`,
    userId,
    source: { channel: n % 4 ? 'whatsapp' : 'web' },
    fileName: `PTT-${n}.opus`,
    title: null,
    bytes: 20_000 + n,
    language: n % 5 ? 'en' : 'es',
    spokenLanguage: n % 5 ? 'en' : 'es',
    createdAt: new Date(Date.UTC(2026, 0, 1) + n * 600_000),
    status: n % 10 ? 'completed' : 'failed',
    durationSeconds: 12.5,
    text: [...words, ...(isRare ? ['rare'] : [])].join(' '),
    wordCount: words.length,
    version: 1,
    attempt: 1,
    objectKey: null,
    engine: null,
    notices: [],
    error: null,
    confidence: null,
    original: null,
    deletedAt: null,
    forgetAt: null,
    outbox: [],
  }
}

const quantile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0

const folder = await mkdtemp(join(tmpdir(), 'bench-history-'))
const mongo = await startEmbeddedMongo({ path: folder })
process.env.MONGO_URL = mongo.url
const backings = await startTestBackings()
const client = await new MongoClient(mongo.url).connect()
const notes = client
  .db(`${backings.env.MONGO_DB_PREFIX}_transcription`)
  .collection<{ _id: string }>('transcriptions')
for (const size of SIZES) {
  for (let at = 0; at < size; at += 2_000) {
    const some = Array.from({ length: Math.min(2_000, size - at) }, (_, n) => noteOf(`u${size}`, at + n))
    await notes.insertMany(some as never)
  }
}
const bus = await testBus('transcription')
const env = { ...backings.env, DATA_DIR: folder, RATE_LIMITS: 'off' }
const service = await runService(transcriptionService, env, { bus: bus.bus })

async function ask(size: number, path: string) {
  const started = performance.now()
  const response = await fetch(`${service.url}/api/transcriptions${path}`, {
    headers: { authorization: tokenFor(`u${size}`) },
  })
  const body = await response.text()
  if (!response.ok) throw new Error(body)
  return performance.now() - started
}

const filling = performance.now()
while (await notes.countDocuments({ settled: null } as never))
  await new Promise(done => setTimeout(done, 200))
const total = SIZES.reduce((sum, size) => sum + size, 0)
console.log(
  `${total} notes of an older version were counted and indexed in ${Math.round((performance.now() - filling) / 1000)} s`,
)

const paths = {
  ...Object.fromEntries(Object.entries(CALLS).map(([what, query]) => [what, `?${query}`])),
  stats: '/stats',
}
console.log(`median (p95) in ms, ratio of medians to ${SIZES[0]} notes`)
for (const [what, path] of Object.entries(paths)) {
  const times = new Map(SIZES.map(size => [size, [] as number[]]))
  // In turn, so that whatever else the machine does meets all alike.
  for (let turn = 0; turn < TURNS; turn++)
    for (const size of SIZES) times.get(size)?.push(await ask(size, path))
  const medians = SIZES.map(size => quantile(times.get(size) ?? [], 0.5))
  const cells = SIZES.map((size, at) => {
    const ratio = ((medians[at] ?? 0) / (medians[0] ?? 1)).toFixed(2)
    const p95 = quantile(times.get(size) ?? [], 0.95).toFixed(1)
    return `${size}: ${medians[at]?.toFixed(1)} (${p95}) ${ratio}x`
  })
  console.log(what.padEnd(20), cells.join('   '))
}
await service.stop()
await bus.close()
await client.close()
await mongo.stop()
await rm(folder, { recursive: true, force: true })
