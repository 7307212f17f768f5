import { type Envelope, MediaExpired, TranscriptionFailed } from '@voxscribe/contracts/events'
import { startRelay } from '@voxscribe/messaging'
import type { Model } from 'mongoose'
import { z } from 'zod'
import { SettingsError } from '../settings/settings.ts'
import { eventually, silentLog, startTestBackings, type TestBackings } from '../testing.ts'
import { type Documents, openDocuments, schemaOf } from './documents.ts'
import type { WithOutbox } from './outbox.ts'

const Thing = z.object({ _id: z.string(), state: z.string() })
type Thing = z.infer<typeof Thing>
const anEvent = () => MediaExpired.create({ mediaId: '7b0a1c9e-5d0b-4b57-9d34-1f3a7f7f2a10', userId: 'ada' })

let backings: TestBackings
const opened: Documents[] = []
beforeAll(async () => {
  backings = await startTestBackings()
})
afterAll(() => backings.stop())
afterEach(() => Promise.all(opened.splice(0).map(documents => documents.close())))

async function open(name: string, written: (key: string, events: Envelope[]) => void) {
  const documents = await openDocuments(
    backings.mongoUrl,
    `${backings.env.MONGO_DB_PREFIX}_${name}`,
    (_outbox, key, events) => written(key, events),
  )
  opened.push(documents)
  const things: Model<Thing & WithOutbox> = documents.outboxModel('things', schemaOf(Thing), {
    owner: null,
    because: 'nobody’s',
  })
  await documents.makeIndexes()
  return { documents, things }
}

test.each(['mongodb://me:hush/hush@host/', 'mongodb://host:99999/', 'mongodb://me%zz:hush@host/'])(
  'when %s is the address, then MONGO_URL is named, without the password',
  async url => {
    const error = await openDocuments(url, 'none', () => {}).catch(error => error)
    expect(error).toBeInstanceOf(SettingsError)
    expect(error.message).toMatch(/MONGO_URL: must be such as mongodb:\/\/user:password@host:27017/)
    expect(error.message).not.toMatch('hush')
  },
)

test('when a write applies, then its events are handed over; when its condition fails, then not', async () => {
  const written: [string, string[]][] = []
  const { things } = await open('written', (key, events) => written.push([key, events.map(({ id }) => id)]))
  const [created, pushed, found, missed] = Array.from({ length: 4 }, anEvent) as Envelope[]
  await things.create({ _id: 'a', state: 'new', outbox: [created!] })
  await things.create({ _id: 'b', state: 'new', outbox: [] })
  await things.updateOne({ _id: 'a', state: 'new' }, { $set: { state: 'old' } })
  await things.updateOne({ _id: 'a', state: 'old' }, { $push: { outbox: pushed! } })
  await things.findOneAndUpdate({ _id: 'b' }, { $push: { outbox: { $each: [found!] } } }).lean()
  await things.updateOne({ _id: 'a', state: 'new' }, { $push: { outbox: missed! } })
  await things.findOneAndUpdate({ _id: 'c' }, { $push: { outbox: missed! } })
  expect(written).toEqual([
    ['a', [created!.id]],
    ['a', [pushed!.id]],
    ['b', [found!.id]],
  ])
  await expect(things.insertMany([{ _id: 'd', state: 'new', outbox: [missed!] }])).rejects.toThrow(
    'one by one',
  )
  await expect(things.updateMany({}, { $push: { outbox: missed! } })).rejects.toThrow('one by one')
})

test('when an event is read back from its document, then it is as it was made', async () => {
  const { documents, things } = await open('back', () => {})
  const transcriptionId = '7b0a1c9e-5d0b-4b57-9d34-1f3a7f7f2a10'
  const why = { reason: { code: 'deleted' as const }, seconds: 0, item: undefined }
  const about = { transcriptionId, userId: 'ada', attempt: 1, source: { channel: 'web' as const } }
  const failed = TranscriptionFailed.create({ ...about, ...why })
  await things.create({ _id: 'a', state: 'new', outbox: [] })
  await things.updateOne({ _id: 'a' }, { $push: { outbox: failed } })
  const [waiting] = await documents.sources[0]!.pending(1)
  expect(TranscriptionFailed.parse(waiting?.events[0])).toEqual(failed)
})

test('when two replicas share a database, then events are published once, also of a dead replica', async () => {
  const published: string[] = []
  const bus = { publish: async ({ id }: Envelope) => void published.push(id) }
  const replica = async (takeOverMs: number) => {
    let relay: ReturnType<typeof startRelay> | undefined
    const { documents, things } = await open('shared', (key, events) =>
      relay?.publishSoon('things', key, events),
    )
    return {
      things,
      run: () => {
        relay = startRelay({ bus, sources: documents.sources, log: silentLog, everyMs: 10, takeOverMs })
      },
      stop: async () => relay?.stop(),
    }
  }
  const [left, right, dead] = [await replica(60_000), await replica(6_000), await replica(60_000)]
  left.run()
  right.run()
  const events = Array.from({ length: 20 }, anEvent)
  for (const [n, event] of events.entries()) {
    await (n % 2 ? left : right).things.create({ _id: `${n}`, state: 'new', outbox: [event] })
  }
  const waiting = () => left.things.countDocuments({ 'outbox.id': { $gt: '' } })
  await eventually(async () => (await waiting()) === 0)
  expect(published.toSorted()).toEqual(events.map(({ id }) => id).toSorted())

  const last = anEvent()
  await dead.things.create({ _id: 'last', state: 'new', outbox: [last] })
  await eventually(async () => (await waiting()) === 0)
  expect(published.slice(events.length)).toEqual([last.id])
  await Promise.all([left.stop(), right.stop()])
})

test('when an account is erased, then every collection with an owner loses its documents, and no other', async () => {
  const { documents } = await open('owned', () => {})
  const Owned = z.object({ _id: z.string(), userId: z.string().optional() })
  const ledger = documents.model('lines', schemaOf(Owned), { owner: 'userId' })
  const people = documents.model('persons', schemaOf(Owned), { owner: '_id' })
  const sums = documents.model('sums', schemaOf(Owned), { owner: null, because: 'of the installation' })
  await ledger.create(Array.from({ length: 150 }, (_, index) => ({ _id: `${index}`, userId: 'ada' })))
  await ledger.create({ _id: 'other', userId: 'grace' })
  for (const _id of ['ada', 'grace']) await people.create({ _id })
  await sums.create({ _id: 'ada', userId: 'ada' })
  await documents.eraseOwned('ada')
  await documents.eraseOwned('ada')
  const left = await Promise.all(
    [ledger, people, sums].map(async model => (await model.find().lean()).length),
  )
  expect(left).toEqual([1, 1, 1])
})

/** Creates a collection with an index that is not built yet. */
async function withIndex(name: string) {
  const documents = await openDocuments(
    backings.mongoUrl,
    `${backings.env.MONGO_DB_PREFIX}_indexed`,
    () => {},
  )
  opened.push(documents)
  const things = documents.model(name, schemaOf(Thing).index({ state: 1 }), {
    owner: null,
    because: 'nobody’s',
  })
  return { documents, things }
}

test('when a collection lacks an index and has few documents, then a start makes it', async () => {
  const { documents, things } = await withIndex('few')
  await things.insertMany([1, 2, 3].map(n => ({ _id: `${n}`, state: 'new' })))
  await documents.makeIndexes(3)
  expect((await things.collection.indexes()).map(({ key }) => key)).toContainEqual({ state: 1 })
})

test('when it has many, then a start refuses, until a migration has made it', async () => {
  const { documents, things } = await withIndex('many')
  await things.insertMany([1, 2, 3, 4].map(n => ({ _id: `${n}`, state: 'new' })))
  await expect(documents.makeIndexes(3)).rejects.toThrow(
    'many has more than 3 documents and lacks an index: run `npm run migrate` first',
  )
  await documents.makeIndexes()
  await documents.makeIndexes(3)
})
