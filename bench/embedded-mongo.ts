import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type Collection, MongoClient } from 'mongodb'

// Writes a second by 1 and by 100 clients, beside SQLite alone (`synchronous = FULL`) in the same run; and a look-up by an
// indexed field among 1,000 and among 100,000 documents. Then lists: a page, a search and a count of a person who has
// 50,000 notes beside one who has 100; and a durable insert while somebody else reads 20,000 documents again and again.
// Run: node bench/embedded-mongo.ts (BENCH_SECONDS: how long each of the first rows lasts)

interface Note {
  _id: string
  n: number
  user: string
  text: string
}

const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'bench-embedded-mongo-'))
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const note = (n: number): Note => ({ _id: `note${n}`, n: 0, user: `user${n}`, text: 'x'.repeat(300) })

const show = (what: string, perSecond: number) =>
  console.log(what.padEnd(58), perSecond.toFixed(0).padStart(8), '/s')

/** Lets `clients` repeat the work for the given seconds; answers how often a second it was done. */
async function rate(clients: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  let done = 0
  const client = async () => {
    while (performance.now() - begin < seconds * 1000) {
      done += 1
      await work(done)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return done / ((performance.now() - begin) / 1000)
}

async function baseline() {
  const database = new DatabaseSync(join(folder, 'baseline.sqlite'))
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id TEXT PRIMARY KEY, doc TEXT)',
  )
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)')
  let id = 0
  const group = (size: number) => async () => {
    database.exec('BEGIN IMMEDIATE')
    for (let i = 0; i < size; i++) insert.run(`${id++}`, JSON.stringify(note(id)))
    database.exec('COMMIT')
  }
  show('SQLite alone, one insert a commit', await rate(1, group(1)))
  show('SQLite alone, 100 inserts a commit', 100 * (await rate(1, group(100))))
  database.close()
}

async function writes(all: Collection<Note>) {
  let id = 0
  for (const clients of [1, 100]) {
    const who = clients === 1 ? '1 client' : `${clients} clients`
    show(`embedded-mongo, inserts, ${who}`, await rate(clients, () => all.insertOne(note(id++))))
    show(
      `embedded-mongo, updates by _id, ${who}`,
      await rate(clients, n => all.updateOne({ _id: `note${n % 500}` }, { $inc: { n: 1 } })),
    )
    show(
      `embedded-mongo, find-and-modify of one document, ${who}`,
      await rate(clients, () => all.findOneAndUpdate({ _id: 'note1' }, { $inc: { n: 1 } })),
    )
    show(
      `embedded-mongo, finds by _id, ${who}`,
      await rate(clients, n => all.findOne({ _id: `note${n % 500}` })),
    )
  }
}

/** Turns about in short rounds, so that whatever else the machine does falls on both sizes alike. */
async function lookUps(client: MongoClient) {
  const sizes = [1_000, 100_000]
  const collections = await Promise.all(sizes.map(size => filled(client, size)))
  const times: number[][] = [[], []]
  for (let round = 0; round < 60; round++)
    for (const [i, all] of collections.entries()) {
      const begin = performance.now()
      for (let n = 0; n < 50; n++) await all.findOne({ user: `user${((round * 50 + n) * 7919) % sizes[i]!}` })
      times[i]!.push((performance.now() - begin) / 50)
    }
  const [small, large] = times.map(median) as [number, number]
  show('embedded-mongo, finds by an indexed field of 1,000', 1000 / small)
  show('embedded-mongo, finds by an indexed field of 100,000', 1000 / large)
  console.log(`a look-up among 100,000 takes ${(large / small).toFixed(2)} times one among 1,000`)
}

async function filled(client: MongoClient, size: number) {
  const all = client.db('bench').collection<Note>(`lookup${size}`)
  await all.createIndex({ user: 1 })
  for (let at = 0; at < size; at += 10_000)
    await all.insertMany(Array.from({ length: Math.min(10_000, size) }, (_, i) => note(at + i)))
  return all
}

interface ListedNote {
  userId: string
  createdAt: Date
  status: string
  words: string[]
  text: string
}

/** The first words are in every note, the last in a few. */
const WORDS = Array.from({ length: 12 }, (_, n) => `w${n.toString(36)}ord`)

const listedNote = (userId: string, n: number): ListedNote => ({
  userId,
  createdAt: new Date(n * 1000),
  status: n % 3 ? 'completed' : 'failed',
  words: WORDS.filter((_, at) => n % 2 ** at === 0),
  text: 'x'.repeat(500),
})

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** The same calls for a person with few notes and for one with many, in turns. */
async function lists(client: MongoClient) {
  const all = client.db('bench').collection<ListedNote>('lists')
  await all.createIndexes([
    { key: { userId: 1, createdAt: -1, _id: 1 } },
    { key: { userId: 1, status: 1, createdAt: -1, _id: 1 } },
    { key: { userId: 1, words: 1 } },
  ])
  const people = { few: 100, many: 50_000 }
  for (const [userId, size] of Object.entries(people))
    for (let at = 0; at < size; at += 5_000)
      await all.insertMany(
        Array.from({ length: Math.min(5_000, size) }, (_, i) => listedNote(userId, at + i)),
      )
  const page = (filter: object, skip = 0) =>
    all.find(filter).sort({ createdAt: -1, _id: 1 }).skip(skip).limit(20).toArray()
  const calls: Record<string, (userId: string, size: number) => Promise<unknown>> = {
    'first page': userId => page({ userId }),
    'page in the middle, by key': (userId, size) =>
      page({ userId, createdAt: { $lt: new Date(size * 500) } }),
    'page in the middle, by skip': (userId, size) => page({ userId }, size / 2),
    'first page of a status': userId => page({ userId, status: 'failed' }),
    'search of a common word': userId => page({ userId, words: /^w0/ }),
    'search of a rare word': userId => page({ userId, words: /^wb/ }),
    'search of two words': userId => page({ userId, $and: [{ words: /^w2/ }, { words: /^w5/ }] }),
    'count of all': userId => all.countDocuments({ userId }),
    'count of a common word': userId => all.countDocuments({ userId, words: /^w0/ }),
  }
  for (const [what, call] of Object.entries(calls)) {
    const times: Record<string, number[]> = { few: [], many: [] }
    for (let round = 0; round < 40; round++)
      for (const [userId, size] of Object.entries(people))
        times[userId]!.push(await milliseconds(() => call(userId, size)))
    const [few, many] = [median(times.few!), median(times.many!)]
    const figures = `${few.toFixed(2)} ms of 100, ${many.toFixed(2)} of 50,000`
    console.log(`embedded-mongo, ${what}`.padEnd(58), figures, `(${(many / few).toFixed(2)}x)`)
  }
}

/** A durable insert, alone and while another client reads 20,000 documents again and again. */
async function writesBesideReads(client: MongoClient) {
  const all = client.db('bench').collection<{ n: number; text: string }>('read')
  await all.insertMany(Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(300) })))
  const inserts = async () => {
    const times: number[] = []
    const end = performance.now() + seconds * 1000
    while (performance.now() < end)
      times.push(
        await milliseconds(() => client.db('bench').collection('written').insertOne({ at: new Date() })),
      )
    return `p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)}`
  }
  console.log('embedded-mongo, a durable insert alone'.padEnd(58), await inserts())
  let isReading = true
  const reader = new MongoClient(server.url)
  const reading = (async () => {
    let reads = 0
    for (; isReading; reads++) await reader.db('bench').collection('read').find({}, { raw: true }).toArray()
    return reads
  })()
  console.log('embedded-mongo, a durable insert beside long reads'.padEnd(58), await inserts())
  isReading = false
  show('embedded-mongo, those reads of 20,000 documents', (await reading) / seconds)
  await reader.close()
}

const quantile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!

const median = (values: number[]) => quantile(values, 0.5)

const server = await startEmbeddedMongo({ path: folder })
const client = await new MongoClient(server.url, { maxPoolSize: 100 }).connect()
try {
  await baseline()
  const all = client.db('bench').collection<Note>('notes')
  await all.createIndex({ user: 1 })
  await writes(all)
  await lookUps(client)
  await lists(client)
  await writesBesideReads(client)
} finally {
  await client.close()
  await server.stop()
  rmSync(folder, { recursive: true })
}
