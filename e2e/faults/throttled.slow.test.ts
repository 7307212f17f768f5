import { rm } from 'node:fs/promises'
import { setTimeout as pass } from 'node:timers/promises'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { MongoClient } from 'mongodb'
import { startCountingEngine } from '../testing/counting-engine.ts'
import { type CountingProxy, countCommands } from '../testing/counting-proxy.ts'
import { eventually } from '../testing/eventually.ts'
import { startOneProcess } from '../testing/one-process.ts'
import { signUp } from '../testing/person.ts'
import { speechOf } from '../testing/speech.ts'
import { memoryOf, newDataDir, type System } from '../testing/system.ts'

const WAITING = 20_000
const BATCH = 1_000
const PEOPLE = 200
/** Interval at which the engine is tried again. */
const REFUSED_SECONDS = 5
/** Default number of concurrent calls to the engine. */
const AT_ONCE = 32
const CLOSED_MS = 30_000

interface Stored {
  _id: string
  firstOf?: string
  userId: string
  work: { step: string; turn: number; notBefore: Date; lease: object | null } | null
}

let folder: string
let mongo: Awaited<ReturnType<typeof startEmbeddedMongo>>
let commands: CountingProxy
let engine: Awaited<ReturnType<typeof startCountingEngine>>
let system: System
let client: MongoClient
beforeEach(async () => {
  folder = await newDataDir()
  mongo = await startEmbeddedMongo({ path: folder })
  commands = await countCommands(mongo.url)
  engine = await startCountingEngine(500)
  system = await startOneProcess({ ...engine.settings, MONGO_URL: commands.url, LOG_LEVEL: 'warn' })
  client = await MongoClient.connect(mongo.url)
})
afterEach(async () => {
  await client?.close()
  await system?.remove()
  await engine?.stop()
  await commands?.stop()
  await mongo?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Queues copies of a person's waiting note as notes of many people. */
async function waitInLine(): Promise<void> {
  const database = client.db('voxscribe_transcription')
  const notes = database.collection<Stored>('transcriptions')
  const { firstOf: _, ...note } = await eventually('a note waits for the engine', async () => {
    const found = await notes.findOne({ 'work.step': 'listening', 'work.lease': null })
    if (!found?.work) throw new Error('none waits')
    return { ...found, work: found.work }
  })
  for (let from = 0; from < WAITING; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => ({
      ...note,
      _id: crypto.randomUUID() as string,
      sha256: crypto.randomUUID(),
      userId: `crowd-${(from + index) % PEOPLE}`,
      work: { ...note.work, turn: note.work.turn + from + index, notBefore: new Date(0), lease: null },
    }))
    // Uses a command, because insertMany would first encode each document to know its size.
    await database.command({ insert: notes.collectionName, documents: batch })
  }
}

test(`when the provider refuses calls while ${WAITING} notes wait, then a new person's first note is next, and the system stays idle`, async () => {
  const memory = () => memoryOf(system.process('voxscribe').pid!)
  const one = await signUp(system)
  engine.refuse(REFUSED_SECONDS)
  await one.sendNote(await speechOf(3, 'one.ogg'), { voice: true })
  const before = await memory()
  await waitInLine()

  commands.take()
  const calls = engine.calls()
  const from = performance.now()
  await pass(CLOSED_MS)
  const sent = [...commands.take().values()].reduce((sum, count) => sum + count, 0)
  const seconds = (performance.now() - from) / 1_000
  const tries = seconds / REFUSED_SECONDS + 1
  // Each try postpones the notes that were claimed for it.
  expect(engine.calls() - calls).toBeLessThanOrEqual(tries * AT_ONCE)
  expect(sent / seconds).toBeLessThan(30)
  expect((await memory()) - before).toBeLessThan(60)

  const quick = await signUp(system)
  const note = await quick.sendNote(await speechOf(4, 'quick.ogg'), { voice: true })
  const isMeasured = async () => Boolean((await quick.transcriptions()).transcriptions[0]?.durationSeconds)
  await eventually('the note is measured', isMeasured)
  engine.refuse()
  const whileClosed = engine.calls()
  await quick.replyTo(note)
  expect(engine.calls() - whileClosed).toBeLessThanOrEqual(3 * AT_ONCE)
})
