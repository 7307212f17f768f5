import { startTestBackings, type TestBackings } from '@voxscribe/service/testing'
import mongoose, { type Schema } from 'mongoose'
import { type NoteRecord, noteSchema } from '../note/record.ts'
import { createTallies } from './tally.ts'

let backings: TestBackings
let database = 0
beforeAll(async () => {
  backings = await startTestBackings()
})
afterAll(() => backings.stop())

/** Always the same numbers for a seed: below 1. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

interface Call {
  replica: number
  go(): void
}

/** Holds every call to the database until it is its turn, in any order; a call that is dropped is never made. */
function createTurns(random: () => number) {
  let waiting: Call[] = []
  let isOpen = false
  return {
    wait: (replica: number) =>
      isOpen ? Promise.resolve() : new Promise<void>(go => waiting.push({ replica, go })),
    next() {
      const [call] = waiting.splice(Math.floor(random() * waiting.length), 1)
      call?.go()
    },
    /** The replica is killed: of its calls, some are on their way and arrive late. */
    kill(replica: number) {
      waiting = waiting.filter(call => call.replica !== replica || random() < 0.5)
    },
    open() {
      isOpen = true
      for (const { go } of waiting) go()
    },
  }
}
type Turns = ReturnType<typeof createTurns>

async function startReplica(name: string, number: number, turns: Turns) {
  const connection = await mongoose
    .createConnection(backings.mongoUrl, { dbName: name, autoIndex: false, autoCreate: false })
    .asPromise()
  const wait = () => turns.wait(number)
  const model = <T>(collection: string, schema: Schema<T>) => {
    schema.set('versionKey', false).pre(['findOne', 'find', 'updateOne'] as never, wait)
    const made = connection.model<T>(collection, schema, collection)
    const insertOne = made.collection.insertOne.bind(made.collection)
    made.collection.insertOne = (async (...args: Parameters<typeof insertOne>) => {
      await wait()
      return insertOne(...args)
    }) as typeof insertOne
    return made
  }
  const notes = model<NoteRecord>('transcriptions', noteSchema.clone() as never)
  const { collection } = notes
  const updateOne = collection.updateOne.bind(collection)
  collection.updateOne = (async (...args: Parameters<typeof updateOne>) => {
    await wait()
    return updateOne(...args)
  }) as typeof collection.updateOne
  return { connection, notes, tallies: createTallies({ model }, notes) }
}

const STATES = ['processing', 'completed', 'failed'] as const
const newNote = (n: number) => ({
  _id: `note-${n}`,
  userId: 'u1',
  source: { channel: 'web' },
  fileName: `file${n}.ogg`,
  text: '',
  bytes: 10 + n,
  language: 'en',
  status: 'processing',
  durationSeconds: null,
  deletedAt: null,
})

/** Writes to a note as a step of the store does. */
function someStep(random: () => number) {
  const isDeletion = random() < 0.2
  const set = isDeletion
    ? { deletedAt: new Date() }
    : {
        status: STATES[Math.floor(random() * STATES.length)],
        durationSeconds: Math.floor(random() * 100) / 10,
      }
  const gone = isDeletion ? { $unset: { source: 1, fileName: 1, text: 1, words: 1, lists: 1 } } : {}
  return { $set: { ...set, settled: null }, $inc: { changes: 1 }, ...gone }
}

const tick = () => new Promise(resolve => setImmediate(resolve))

async function expectExact({ notes, tallies }: Awaited<ReturnType<typeof startReplica>>) {
  await tallies.settle('u1')
  const left = await notes.find({ userId: 'u1' }).lean()
  expect(left.filter(note => note.deletedAt || !note.settled)).toEqual([])
  const { counts, bytes, microseconds } = await tallies.sums('u1')
  const expected: Record<string, number> = {}
  for (const { status } of left) expected[`${status} web en`] = (expected[`${status} web en`] ?? 0) + 1
  expect(Object.fromEntries(Object.entries(counts).filter(([, count]) => count))).toEqual(expected)
  expect(bytes).toBe(left.reduce((sum, note) => sum + note.bytes, 0))
  const seconds = left.reduce((sum, note) => sum + Math.round((note.durationSeconds ?? 0) * 10), 0)
  expect(microseconds).toBe(seconds * 100_000)
}

describe('the numbers of a person', () => {
  test.each(Array.from({ length: 25 }, (_, seed) => seed))(
    'when replicas settle at once, are killed, and write late, then nothing is lost or counted twice (%i)',
    async seed => {
      const random = randomOf(seed)
      const turns = createTurns(random)
      database += 1
      const name = `${backings.env.MONGO_DB_PREFIX}_tally${database}`
      const replicas = await Promise.all([0, 1, 2].map(number => startReplica(name, number, turns)))
      const [first] = replicas
      const direct = first!.connection.db!.collection<{ _id: string }>('transcriptions')
      const settling = replicas.map(() => false)
      for (let step = 0; step < 150; step++) {
        const number = Math.floor(random() * replicas.length)
        if (!settling[number]) {
          settling[number] = true
          const over = () => {
            settling[number] = false
          }
          void replicas[number]!.tallies.settle('u1').then(over, over)
        }
        if (random() < 0.04) {
          turns.kill(number)
          settling[number] = false
        }
        if (random() < 0.08) await direct.insertOne(newNote(step) as never)
        if (random() < 0.25) {
          const alive = await direct.find({ userId: 'u1', deletedAt: null } as never).toArray()
          const note = alive[Math.floor(random() * alive.length)]
          if (note)
            await direct.updateOne({ _id: note._id, deletedAt: null } as never, someStep(random) as never)
        }
        turns.next()
        await tick()
      }
      turns.open()
      await expectExact(first!)
      await expectExact(replicas[1]!)
      for (const { connection } of replicas) await connection.close()
    },
  )

  test('when notes are of an older version, then they are counted and found, also after a break', async () => {
    const turns = createTurns(Math.random)
    turns.open()
    const replica = await startReplica(`${backings.env.MONGO_DB_PREFIX}_older`, 0, turns)
    const { connection, notes, tallies } = replica
    const direct = connection.db!.collection<{ _id: string }>('transcriptions')
    await direct.insertMany(Array.from({ length: 250 }, (_, n) => newNote(n)) as never)
    await direct.insertOne({ _id: 'tombstone', deletedAt: new Date(), status: 'failed' } as never)
    const { collection } = notes
    const updateOne = collection.updateOne.bind(collection)
    let calls = 0
    collection.updateOne = (async (...args: Parameters<typeof updateOne>) => {
      calls += 1
      if (calls === 130) throw new Error('killed')
      return updateOne(...args)
    }) as typeof collection.updateOne
    await expect(tallies.settleAll()).rejects.toThrow('killed')
    await tallies.settleAll()
    expect(await notes.countDocuments({ settled: null })).toBe(0)
    expect(await notes.countDocuments({ userId: 'u1', words: /^file24/ })).toBe(11)
    await expectExact(replica)
    await connection.close()
  })
})
