import { wordsOf } from '@voxscribe/contracts/search-words'
import { MongoClient } from 'mongodb'

const WORDS = Array.from({ length: 2_000 }, (_, n) => `w${n.toString(36)}`)
const BATCH = 2_000
/** Notes per person that have this word: the first ones, so a page of results is the same for every person. */
const RARE = 5
const EARLY = 300
/** One note in this many has the word. */
const SELDOM = 32

function textOf(n: number, length: number): string {
  const some = Array.from({ length }, (_, at) => WORDS[(n * 31 + at * at * 17) % WORDS.length])
  // By position, so that pages of all sizes have the same words.
  const parity = n % 2 ? ['half', 'odd'] : ['often', 'even', '明天的会议']
  const third = n % 3 ? [] : ['often', 'half']
  const placed = [
    ...(n < RARE ? ['rare'] : []),
    ...(n < EARLY ? ['early'] : []),
    ...(n % SELDOM ? [] : ['seldom']),
  ]
  return ['common', ...parity, ...third, ...some, ...placed].join(' ')
}

/** A finished note as transcription stores it. */
function noteOf(userId: string, n: number, words: number) {
  const text = textOf(n, words)
  const fileName = `PTT-${n}.opus`
  return {
    _id: `${userId}-${n}`,
    userId,
    source: { channel: n % 4 ? 'whatsapp' : 'web' },
    fileName,
    title: null,
    bytes: 20_000 + n,
    language: n % 5 ? 'en' : 'es',
    listedLanguage: n % 5 ? 'en' : 'es',
    spokenLanguage: n % 5 ? 'en' : 'es',
    createdAt: new Date(Date.UTC(2026, 0, 1) + n * 600_000),
    status: n % 10 ? 'completed' : 'failed',
    durationSeconds: 12.5,
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
    words: wordsOf([text, '', fileName]),
  }
}

/** Gives a person finished notes of `words` words each. */
export async function fillHistory(
  mongoUrl: string,
  database: string,
  userId: string,
  { notes, words = 40 }: { notes: number; words?: number },
): Promise<void> {
  const client = await new MongoClient(mongoUrl).connect()
  const documents = client.db(database).collection<{ _id: string }>('transcriptions')
  for (let from = 0; from < notes; from += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, notes - from) }, (_, n) =>
      noteOf(userId, from + n, words),
    )
    await documents.insertMany(some)
  }
  await client.close()
}
