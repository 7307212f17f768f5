import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { runService } from '@voxscribe/service'
import { startTestBackings, testBus, tokenFor } from '@voxscribe/service/testing'
import { transcriptionService } from '../../services/transcription/src/service.ts'
import { fillHistory } from '../history-notes.ts'
import { type Figure, median, type Row } from '../row.ts'
import { millisecondsOf } from '../system.ts'

/** A call, for a person with so many notes. */
type Call = [name: string, notes: number, path: string, before: string]

/** Of the person beside whom the others are measured. */
const FEW = 100
const MANY = Number(process.env.BENCH_NOTES ?? 20_000)
const CALLS: Call[] = [
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
const MOST = 200_000
/** Each note of so many has few words: the index of words would take most of the time that filling takes. */
const MOST_CALLS: Call[] = [['first page, 200,000 notes', MOST, '', '15709 ms']]
/** Calls of one measurement: a median of them. */
const TURNS = 7

async function open(calls: Call[], words: number) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-history-'))
  const mongo = await startEmbeddedMongo({ path: folder })
  process.env.MONGO_URL = mongo.url
  const backings = await startTestBackings()
  const database = `${backings.env.MONGO_DB_PREFIX}_transcription`
  const bus = await testBus('transcription')
  const env = { ...backings.env, DATA_DIR: folder, RATE_LIMITS: 'off' }
  const service = await runService(transcriptionService, env, { bus: bus.bus })
  for (const notes of new Set([FEW, ...calls.map(([, notes]) => notes)])) {
    await fillHistory(mongo.url, database, `u${notes}`, { notes, words })
  }

  async function ask(notes: number, path: string) {
    const headers = { authorization: tokenFor(`u${notes}`) }
    const response = await fetch(`${service.url}/api/transcriptions${path}`, { headers })
    const body = await response.text()
    if (!response.ok) throw new Error(body)
  }

  async function all(sizeOf: (notes: number) => number): Promise<number[]> {
    const medians: number[] = []
    for (const [, notes, path] of calls) {
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
      await mongo.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function inTheWayOf(path: string): string {
  if (path.includes('search')) {
    return 'A search reads and counts the entries of its words in the index of the person: its time grows with the notes that have the word.'
  }
  if (path.includes('&')) {
    return 'No index has these conditions together: notes that fit one of them are read until the page is full, and counted for the pages.'
  }
  return 'It reads as much as for few notes, from an index that is deeper and less in the cache.'
}

const figuresOf = (calls: Call[]): Figure[] =>
  calls.map(([name, , path, before]) => ({
    name,
    unit: 'ms',
    before,
    goal: { ratioAtMost: 1.3 },
    inTheWay: inTheWayOf(path),
  }))

export const historyRows: Row[] = [
  {
    name: 'history',
    title: 'History of one person',
    baseline: `the same calls for a person with ${FEW} notes (BENCH_NOTES: how many the other has)`,
    figures: figuresOf(CALLS),
    seconds: 40,
    open: () => open(CALLS, 40),
  },
  {
    name: 'history-200k',
    title: 'History of one person with very many notes',
    baseline: `the same call for a person with ${FEW} notes`,
    figures: figuresOf(MOST_CALLS),
    seconds: 80,
    open: () => open(MOST_CALLS, 0),
  },
]
