import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type Collection, MongoClient } from 'mongodb'

// Writes a second by 1 and by 100 clients, beside SQLite alone with the same fsync in the same run; and a look-up by an
// indexed field among 1,000 and among 100,000 documents.
// Run: node bench/embedded-mongo.ts

type Note = { _id: string; n: number; user: string; text: string }

const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'bench-embedded-mongo-'))
const seconds = 3
const note = (n: number): Note => ({ _id: `note${n}`, n: 0, user: `user${n}`, text: 'x'.repeat(300) })

const show = (what: string, perSecond: number) =>
  console.log(what.padEnd(58), perSecond.toFixed(0).padStart(8), '/s')

/** Lets `clients` repeat the work for the given seconds; answers how often a second it was done. */
const rate = async (clients: number, work: (n: number) => Promise<unknown>): Promise<number> => {
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

const baseline = async () => {
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

const writes = async (all: Collection<Note>) => {
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
const lookUps = async (client: MongoClient) => {
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

const filled = async (client: MongoClient, size: number) => {
  const all = client.db('bench').collection<Note>(`lookup${size}`)
  await all.createIndex({ user: 1 })
  for (let at = 0; at < size; at += 10_000)
    await all.insertMany(Array.from({ length: Math.min(10_000, size) }, (_, i) => note(at + i)))
  return all
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

const server = await startEmbeddedMongo({ path: folder })
const client = await new MongoClient(server.url, { maxPoolSize: 100 }).connect()
try {
  await baseline()
  const all = client.db('bench').collection<Note>('notes')
  await all.createIndex({ user: 1 })
  await writes(all)
  await lookUps(client)
} finally {
  await client.close()
  await server.stop()
  rmSync(folder, { recursive: true })
}
