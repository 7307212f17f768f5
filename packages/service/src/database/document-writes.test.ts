import type { Model } from 'mongoose'
import { z } from 'zod'
import { startTestBackings, type TestBackings } from '../testing.ts'
import { claimOnce, insertOnce, keepNewest } from './document-writes.ts'
import { type Documents, openDocuments, schemaOf } from './documents.ts'
import { isDatabaseAway } from './errors.ts'

const Thing = z.object({
  _id: z.string(),
  name: z.string(),
  revision: z.number(),
  parts: z.array(z.object({ at: z.date() })).optional(),
  kept: z.string().nullable().optional(),
})
type Thing = z.infer<typeof Thing>

let backings: TestBackings
let documents: Documents
let things: Model<Thing>
beforeAll(async () => {
  backings = await startTestBackings()
  documents = await openDocuments(backings.mongoUrl, `${backings.env.MONGO_DB_PREFIX}_writes`, () => {})
  things = documents.model('things', schemaOf(Thing).index({ kept: 1 }, { unique: true, sparse: true }), {
    owner: null,
    because: 'nobody’s',
  })
  await documents.makeIndexes()
})
afterAll(async () => {
  await documents.close()
  await backings.stop()
})
beforeEach(async () => void (await things.deleteMany({})))

const one = (_id: string) => things.findById(_id).lean()
const numbers = Array.from({ length: 10 }, (_, n) => n)

test('when a document is stored, then it is there as it was first given, and nothing else with it', async () => {
  const thing = { _id: 'a', name: 'one', revision: 1, parts: [{ at: new Date(5) }], kept: null }
  await insertOnce(things, { ...thing, surprise: 'field' } as Thing)
  expect(await one('a')).toEqual(thing)
  expect(await insertOnce(things, { _id: 'b', name: 'two', revision: 1 })).toBe(true)
  expect(await insertOnce(things, { _id: 'b', name: 'again', revision: 1 })).toBe(false)
  expect(await one('b')).toEqual({ _id: 'b', name: 'two', revision: 1 })
})

test('when another document has the same unique field, then that is an error', async () => {
  await insertOnce(things, { _id: 'a', name: 'first', revision: 1, kept: 'mine' })
  const second = { _id: 'b', name: 'second', revision: 2, kept: 'mine' }
  await expect(insertOnce(things, second)).rejects.toThrow('duplicate key')
  await expect(keepNewest(things, 'revision', second)).rejects.toThrow('duplicate key')
})

test('when the database goes away under many inserts, then each of them says so', async () => {
  const gone = await openDocuments(backings.mongoUrl, `${backings.env.MONGO_DB_PREFIX}_writes`, () => {})
  const model = gone.model('things', schemaOf(Thing), { owner: null, because: 'nobody’s' })
  await gone.close()
  const all = numbers.map(n => insertOnce(model, { _id: `${n}`, name: 'one', revision: 1 }))
  const outcomes = (await Promise.allSettled(all)) as PromiseRejectedResult[]
  expect(outcomes.map(({ reason }) => isDatabaseAway(reason))).toEqual(numbers.map(() => true))
  expect(await things.countDocuments()).toBe(0)
})

test('when news come in any order or at once, then the newest stays', async () => {
  const news = numbers.map(revision => ({ _id: 'a', name: `${revision}`, revision }))
  const kept = await Promise.all(
    news.toSorted((a, b) => (a.revision % 3) - (b.revision % 3)).map(n => keepNewest(things, 'revision', n)),
  )
  expect(kept).toContain(true)
  expect(await one('a')).toEqual({ _id: 'a', name: '9', revision: 9 })
  expect(await keepNewest(things, 'revision', { _id: 'a', name: 'old', revision: 9 })).toBe(false)
  expect(await keepNewest(things, 'revision', { _id: 'a', name: 'new', revision: 10 })).toBe(true)
})

test('when news omits a field, then it stays, and insert-only fields are set once', async () => {
  await keepNewest(things, 'revision', { _id: 'a', name: 'one', revision: 1 }, { kept: 'first' })
  await keepNewest(things, 'revision', { _id: 'a', revision: 2 }, { kept: 'second' })
  expect(await one('a')).toEqual({ _id: 'a', name: 'one', revision: 2, kept: 'first' })
})

test('when many claim at once, then one wins; it may claim again, and a dead claim is taken over', async () => {
  const claims = await Promise.all(
    numbers.map(n =>
      claimOnce(things, { _id: 'a', name: `owner ${n}`, revision: 1 }, { name: `owner ${n}` }),
    ),
  )
  expect(claims.filter(Boolean)).toHaveLength(1)
  const { name } = (await one('a'))!
  expect(await claimOnce(things, { _id: 'a', name, revision: 1 }, { name })).toBe(true)
  const next = { _id: 'a', name: 'next', revision: 2 }
  expect(await claimOnce(things, next, { revision: { $lt: 1 } })).toBe(false)
  expect(await claimOnce(things, next, { $or: [{ name: 'next' }, { revision: { $lt: 2 } }] })).toBe(true)
  expect(await one('a')).toEqual(next)
})
