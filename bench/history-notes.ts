import { wordsOf } from '@voxscribe/contracts/search-words'
import { MongoClient } from 'mongodb'
import { listsOf } from '../services/transcription/src/list/tally.ts'

const WORDS = Array.from({ length: 2_000 }, (_, n) => `w${n.toString(36)}`)
/** Documents of one insert: with fewer, the embedded database writes the blocks of the same words more often. */
const BATCH = 2_000
/** In the first notes of each person, so that a page of it is the same for everybody. */
const RARE = 5
const EARLY = 300
/** Every so many notes have the word. */
const SELDOM = 32

function textOf(n: number, length: number): string {
  const some = Array.from({ length }, (_, at) => WORDS[(n * 31 + at * at * 17) % WORDS.length])
  // By place, so that pages of all sizes hold the same.
  const parity = n % 2 ? ['half', 'odd'] : ['often', 'even', '明天的会议']
  const third = n % 3 ? [] : ['often', 'half']
  const placed = [
    ...(n < RARE ? ['rare'] : []),
    ...(n < EARLY ? ['early'] : []),
    ...(n % SELDOM ? [] : ['seldom']),
  ]
  return ['common', ...parity, ...third, ...some, ...placed].join(' ')
}

/** A finished note as transcription keeps it once lists and numbers know it. */
function noteOf(userId: string, n: number, words: number) {
  const text = textOf(n, words)
  const fileName = `PTT-${n}.opus`
  const place = {
    status: n % 10 ? 'completed' : 'failed',
    source: n % 4 ? 'whatsapp' : 'web',
    language: n % 5 ? 'en' : 'es',
    bytes: 20_000 + n,
    microseconds: 12_500_000,
  }
  return {
    _id: `${userId}-${n}`,
    userId,
    source: { channel: place.source },
    fileName,
    title: null,
    bytes: place.bytes,
    language: place.language,
    spokenLanguage: place.language,
    createdAt: new Date(Date.UTC(2026, 0, 1) + n * 600_000),
    status: place.status,
    durationSeconds: place.microseconds / 1e6,
    text,
    wordCount: text.split(' ').length,
    version: 1,
    attempt: 1,
    objectKey: null,
    engine: null,
    notices: [],
    error: null,
    confidence: null,
    original: null,
    deletedAt: null,
    outbox: [],
    counted: { times: 1, as: place },
    settled: true,
    words: wordsOf([text, '', fileName]),
    lists: listsOf(place),
  }
}

/** Gives a person finished notes of so many words each (default: 40), and the numbers that are kept of them. */
export async function fillHistory(
  mongoUrl: string,
  database: string,
  userId: string,
  { notes, words = 40 }: { notes: number; words?: number },
): Promise<void> {
  const client = await new MongoClient(mongoUrl).connect()
  const documents = client.db(database).collection<{ _id: string }>('transcriptions')
  const counts: Record<string, number> = {}
  const sums = { bytes: 0, microseconds: 0 }
  for (let from = 0; from < notes; from += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, notes - from) }, (_, n) =>
      noteOf(userId, from + n, words),
    )
    for (const { status, source, language, bytes, microseconds } of some.map(({ counted }) => counted.as)) {
      const name = `${status} ${source} ${language}`
      counts[name] = (counts[name] ?? 0) + 1
      sums.bytes += bytes
      sums.microseconds += microseconds
    }
    await documents.insertMany(some)
  }
  const tally = { _id: userId, rev: 0, counts, ...sums, moving: [] }
  await client.db(database).collection<{ _id: string }>('tallies').insertOne(tally)
  await client.close()
}
