import { Long } from 'bson'
import { openEngine } from '../server/engine.ts'
import { type Doc, decode } from '../store/values.ts'

let engine: ReturnType<typeof openEngine>
beforeEach(() => {
  engine = openEngine(':memory:')
})
afterEach(() => engine.close())

const run = async (body: Doc): Promise<Doc> => decode(await engine.run({ ...body, $db: 'd' }))

test('when a document would be over 16 MB, then it is refused with 10334 and the others stay', async () => {
  const text = 'x'.repeat(16 * 1024 * 1024)
  const reply = await run({
    insert: 'c',
    documents: [{ _id: 1 }, { _id: 2, text }, { _id: 3 }],
    ordered: false,
  })
  expect(reply).toMatchObject({ ok: 1, n: 2, writeErrors: [{ index: 1, code: 10334 }] })
  const half = 'x'.repeat(9 * 1024 * 1024)
  const updates = [{ half }, { other: half }].map($set => ({ q: { _id: 1 }, u: { $set } }))
  expect(await run({ update: 'c', updates })).toMatchObject({
    nModified: 1,
    writeErrors: [{ index: 1, code: 10334 }],
  })
})

test('when documents expire, then a sweep removes those that are due, never those without a date', async () => {
  await run({ createIndexes: 'c', indexes: [{ key: { at: 1 }, name: 'ttl', expireAfterSeconds: 60 }] })
  const documents = [
    { _id: 1, at: new Date(0) },
    { _id: 2, at: new Date(1) },
    { _id: 3 },
    { _id: 4, at: 'text' },
    { _id: 5, at: [new Date(9e12), new Date(0)] },
  ]
  await run({ insert: 'c', documents })
  expect(await engine.sweep(new Date(59_999))).toBe(0)
  expect(await engine.sweep(new Date(60_000))).toBe(2)
  expect(await run({ find: 'c' })).toMatchObject({
    cursor: { firstBatch: [{ _id: 2 }, { _id: 3 }, { _id: 4 }] },
  })
})

test('when a command or an option is not served, then it is refused with a code', async () => {
  const codes = async (...bodies: Doc[]) => Promise.all(bodies.map(async body => (await run(body)).code))
  expect(
    await codes(
      { find: 'c', nonsense: 1 },
      { insert: 'c', documents: [{}], nonsense: 1 },
      { find: 'c', tailable: true },
      { find: 'c', collation: { locale: 'de' } },
      { find: 'c', hint: 'a' },
      { find: 'c', readConcern: { level: 'snapshot' } },
      { insert: 'c', documents: [{}], txnNumber: 1, startTransaction: true, autocommit: false },
    ),
  ).toEqual(Array(7).fill(40415))
  expect(
    await codes(
      { insert: 'c', documents: [{}], writeConcern: { w: 2 } },
      { find: 5 },
      { find: 'c', limit: -1 },
      { find: 'c', sort: { a: 2 } },
    ),
  ).toEqual([2, 14, 2, 2])
  expect(await codes({ collMod: 'c' }, { create: 'c' }, { distinct: 'c', key: 'a' })).toEqual([59, 59, 59])
})

test('when an index is made again in another form, then the error code names the conflict', async () => {
  const make = async (index: Doc) => (await run({ createIndexes: 'c', indexes: [index] })).code
  expect(await make({ key: { a: 1 }, name: 'a' })).toBeUndefined()
  expect(await make({ key: { a: 1 }, name: 'a' })).toBeUndefined()
  expect(await make({ key: { b: 1 }, name: 'a' })).toBe(86)
  expect(await make({ key: { a: 1 }, name: 'other' })).toBe(85)
  expect(await make({ key: { a: 1 }, name: 'a', unique: true })).toBe(85)
  expect(await make({ key: { a: 'text' }, name: 't' })).toBe(67)
  expect(await make({ key: { a: 1, b: 1 }, name: 'ttl', expireAfterSeconds: 5 })).toBe(67)
  expect(await make({ key: { x: 1, y: 1 }, name: 'xy' })).toBeUndefined()
  const parallel = await run({ insert: 'c', documents: [{ x: [1, 2], y: [1, 2] }] })
  expect(parallel).toMatchObject({ writeErrors: [{ code: 171 }] })
})

test('when a number exceeds a double, then it is returned unchanged and not compared', async () => {
  await run({ insert: 'c', documents: [{ _id: 1, n: Long.MAX_VALUE }] })
  expect(await run({ find: 'c' })).toMatchObject({ cursor: { firstBatch: [{ n: Long.MAX_VALUE }] } })
  expect(await run({ find: 'c', filter: { n: 5 } })).toMatchObject({ ok: 0, code: 238 })
})
