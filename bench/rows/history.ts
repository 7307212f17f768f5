import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { runService } from '@voxscribe/service'
import { startTestBackings, testBus, tokenFor } from '@voxscribe/service/testing'
import { MongoClient } from 'mongodb'
import { transcriptionService } from '../../services/transcription/src/service.ts'
import { type Figure, median, type Row } from '../row.ts'
import { millisecondsOf } from '../system.ts'

/** Of the person beside whom the others are measured. */
const FEW = 100
const MANY = Number(process.env.BENCH_NOTES ?? 20_000)
const CALLS: [name: string, notes: number, path: string, before: string][] = [
  ['first page, 1,000 notes', 1_000, '', '103 ms'],
  [`first page, ${MANY} notes`, MANY, '', '1540 ms'],
  [`page 10, ${MANY} notes`, MANY, '?page=10', '–'],
  [`of a status, ${MANY} notes`, MANY, '?status=failed', '1314–1583 ms'],
  [`of a language, ${MANY} notes`, MANY, '?language=es', '–'],
  [`of a source, ${MANY} notes`, MANY, '?source=web', '–'],
  [`of two filters, ${MANY} notes`, MANY, '?source=web&language=es&status=completed', '–'],
  [`of a week, ${MANY} notes`, MANY, '?from=2026-01-05&to=2026-01-11', '–'],
  [`search of a common word, ${MANY} notes`, MANY, '?search=common', '1314–1583 ms'],
  [`search of a rare word, ${MANY} notes`, MANY, '?search=rare', '1314–1583 ms'],
  [`search of two words, ${MANY} notes`, MANY, '?search=often+half', '1314–1583 ms'],
  [`search of the beginning of a word, ${MANY} notes`, MANY, '?search=comm', '–'],
  [`search of two words never together, ${MANY} notes`, MANY, '?search=even+odd', '–'],
  [`search without spaces, ${MANY} notes`, MANY, '?search=%E4%BC%9A%E8%AE%AE', '–'],
  [`numbers, ${MANY} notes`, MANY, '/stats', '441 ms'],
]
/** Calls of one measurement: a median of them. */
const TURNS = 7
const LOOK_EVERY_MS = 200

const WORDS = Array.from({ length: 2_000 }, (_, n) => `w${n.toString(36)}`)

/** As the service of an older version left it: uncounted, and without words. */
function noteOf(userId: string, n: number) {
  const some = Array.from({ length: 40 }, (_, at) => WORDS[(n * 31 + at * at * 17) % WORDS.length])
  // By place, so that pages of all sizes hold the same.
  const parity = n % 2 ? ['half', 'odd'] : ['often', 'even', '明天的会议']
  const words = ['common', ...parity, ...(n % 3 ? [] : ['often', 'half']), ...some]
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

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-history-'))
  const mongo = await startEmbeddedMongo({ path: folder })
  process.env.MONGO_URL = mongo.url
  const backings = await startTestBackings()
  const client = await new MongoClient(mongo.url).connect()
  const notes = client
    .db(`${backings.env.MONGO_DB_PREFIX}_transcription`)
    .collection<{ _id: string }>('transcriptions')
  for (const size of new Set([FEW, ...CALLS.map(([, size]) => size)])) {
    for (let at = 0; at < size; at += 2_000) {
      const some = Array.from({ length: Math.min(2_000, size - at) }, (_, n) => noteOf(`u${size}`, at + n))
      await notes.insertMany(some as never)
    }
  }
  const bus = await testBus('transcription')
  const env = { ...backings.env, DATA_DIR: folder, RATE_LIMITS: 'off' }
  const service = await runService(transcriptionService, env, { bus: bus.bus })
  while (await notes.countDocuments({ settled: null } as never)) await wait(LOOK_EVERY_MS)

  async function ask(size: number, path: string) {
    const headers = { authorization: tokenFor(`u${size}`) }
    const response = await fetch(`${service.url}/api/transcriptions${path}`, { headers })
    const body = await response.text()
    if (!response.ok) throw new Error(body)
  }

  async function all(sizeOf: (notes: number) => number): Promise<number[]> {
    const medians: number[] = []
    for (const [, notes, path] of CALLS) {
      const times: number[] = []
      for (let turn = 0; turn < TURNS; turn++)
        times.push(await millisecondsOf(() => ask(sizeOf(notes), path)))
      medians.push(median(times))
    }
    return medians
  }

  return {
    ours: () => all(notes => notes),
    plain: () => all(() => FEW),
    async close() {
      await service.stop()
      await bus.close()
      await client.close()
      await mongo.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const historyRow: Row = {
  name: 'history',
  title: 'History of one person',
  baseline: `the same calls for a person with ${FEW} notes (BENCH_NOTES: how many the other has)`,
  figures: CALLS.map(
    ([name, , , before]): Figure => ({ name, unit: 'ms', before, goal: { ratioAtMost: 1.3 } }),
  ),
  open,
}
