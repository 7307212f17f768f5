import fc from 'fast-check'
import { openEngine } from './engine.ts'
import type { Doc } from './values.ts'

const open = () => {
  const engine = openEngine(':memory:')
  const run = async (body: Doc): Promise<Doc> => {
    const reply = await engine.run({ ...body, $db: 'test' })
    if (reply.ok !== 1 || reply.writeErrors) throw new Error(JSON.stringify(reply))
    return reply
  }
  const find = async (collection: string, filter: Doc, rest: Doc = {}) => {
    const { cursor } = await run({ find: collection, filter, batchSize: 100_000, ...rest })
    return (cursor as { firstBatch: Doc[] }).firstBatch
  }
  const explain = async (find: Doc) => {
    const { queryPlanner, executionStats } = await run({ explain: find })
    return {
      ...(queryPlanner as { winningPlan: Doc }).winningPlan,
      examined: (executionStats as Doc).totalDocsExamined,
    }
  }
  return { run, find, explain, close: engine.close }
}

const fill = async ({ run }: ReturnType<typeof open>, collection: string, size: number) => {
  const documents = Array.from({ length: size }, (_, n) => ({
    _id: n,
    user: `u${n}`,
    at: new Date(n),
    shared: n % 10,
  }))
  for (let at = 0; at < size; at += 10_000)
    await run({ insert: collection, documents: documents.slice(at, at + 10_000) })
}

test('when a field is indexed, then a look-up reads as much of 100,000 documents as of 1,000', async () => {
  const server = open()
  const { run, explain, close } = server
  const examined = []
  for (const size of [1_000, 100_000]) {
    const collection = `c${size}`
    await run({
      createIndexes: collection,
      indexes: [
        { key: { user: 1 }, name: 'user' },
        { key: { shared: 1, at: -1 }, name: 'list' },
      ],
    })
    await fill(server, collection, size)
    examined.push(
      await Promise.all([
        explain({ find: collection, filter: { user: 'u500' } }),
        explain({ find: collection, filter: { user: { $in: ['u1', 'u999'] } } }),
        explain({ find: collection, filter: { _id: 7 } }),
        explain({ find: collection, filter: { shared: 3, at: { $lt: new Date(100) } } }),
        explain({ find: collection, filter: { shared: 3 }, sort: { at: -1 }, limit: 10 }),
        explain({ find: collection, filter: { shared: { $gte: 0 } }, limit: 1 }),
      ]),
    )
  }
  expect(examined[0]).toEqual(examined[1])
  expect(examined[1]).toEqual([
    { stage: 'IXSCAN', indexName: 'user', examined: 1 },
    { stage: 'IXSCAN', indexName: 'user', examined: 2 },
    { stage: 'IXSCAN', indexName: '_id_', examined: 1 },
    { stage: 'IXSCAN', indexName: 'list', examined: 10 },
    { stage: 'IXSCAN', indexName: 'list', examined: 10 },
    { stage: 'IXSCAN', indexName: 'list', examined: 1 },
  ])
  close()
})

test('when an index is sparse or partial, then it is used just where it holds every match', async () => {
  const { run, explain, close } = open()
  await run({
    createIndexes: 'c',
    indexes: [
      { key: { 'outbox.id': 1 }, name: 'waiting', sparse: true },
      { key: { status: 1 }, name: 'processing', partialFilterExpression: { status: 'processing' } },
      {
        key: { phone: 1 },
        name: 'phone',
        unique: true,
        partialFilterExpression: { phone: { $exists: true } },
      },
    ],
  })
  await run({
    insert: 'c',
    documents: Array.from({ length: 100 }, (_, n) => ({
      _id: n,
      status: n < 2 ? 'processing' : 'done',
      outbox: n < 3 ? [{ id: n }] : [],
      phone: n,
    })),
  })
  const plan = (filter: Doc) => explain({ find: 'c', filter })
  expect(await plan({ 'outbox.id': { $exists: true } })).toMatchObject({ indexName: 'waiting', examined: 3 })
  expect(await plan({ 'outbox.id': null })).toMatchObject({ stage: 'COLLSCAN' })
  expect(await plan({ status: 'processing' })).toMatchObject({ indexName: 'processing', examined: 2 })
  expect(await plan({ status: 'done' })).toMatchObject({ stage: 'COLLSCAN' })
  expect(await plan({ phone: 5 })).toMatchObject({ indexName: 'phone', examined: 1 })
  expect(await plan({ phone: null })).toMatchObject({ stage: 'COLLSCAN' })
  close()
})

const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, 'a', 'b', '', null, true, false, new Date(0), new Date(5)),
)
const stored = fc.oneof(
  scalar,
  fc.array(fc.oneof(scalar, fc.record({ c: scalar }, { noNullPrototype: true })), { maxLength: 3 }),
  fc.record({ c: scalar }, { requiredKeys: [], noNullPrototype: true }),
)
const document = fc.record({ a: stored, b: stored }, { requiredKeys: [], noNullPrototype: true })
const operator = fc.oneof(
  fc.tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte', '$ne'), scalar),
  fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 3 })),
  fc.tuple(fc.constant('$exists'), fc.boolean()),
  fc.tuple(fc.constant('$eq'), fc.array(scalar, { maxLength: 2 })),
)
const condition = fc
  .array(operator, { minLength: 1, maxLength: 2 })
  .map(entries => Object.fromEntries(entries))
const filter = fc.dictionary(fc.constantFrom('a', 'b', 'a.c', 'b.c'), condition, {
  maxKeys: 2,
  noNullPrototype: true,
})
const direction = fc.constantFrom(1, -1)
const fields = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'a.c', '_id'), direction), {
  selector: ([path]) => path,
  minLength: 1,
  maxLength: 2,
})

test('when any filter and order meet any index, then the answer is that of a collection without one', async () => {
  const { run, find, close } = open()
  let number = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { maxLength: 12 }),
      fc.array(filter, { minLength: 5, maxLength: 5 }),
      fields,
      fields,
      fc.boolean(),
      async (documents, filters, key, sort, sparse) => {
        number += 1
        await run({
          createIndexes: `i${number}`,
          indexes: [{ key: Object.fromEntries(key), name: 'index', sparse }],
        })
        for (const [_id, doc] of documents.entries()) {
          // Two arrays in one compound index are refused, as in MongoDB; such a document is left out.
          const done = await run({ insert: `i${number}`, documents: [{ ...doc, _id }] }).catch(
            () => undefined,
          )
          if (done) await run({ insert: `p${number}`, documents: [{ ...doc, _id }] })
        }
        const order = Object.fromEntries([...sort, ['_id', 1] as const])
        for (const each of filters)
          expect(await find(`i${number}`, each, { sort: order })).toEqual(
            await find(`p${number}`, each, { sort: order }),
          )
      },
    ),
    { numRuns: 100 },
  )
  close()
})
