import { RateLimiterMongo } from 'rate-limiter-flexible'
import { freshCollection, freshModel, type Server } from './address.ts'

/** Cases of indexes: uniqueness, lists and expiry. */
export function indexCases({ connection, isFerret }: Server) {
  const beyond = isFerret ? test.skip : test
  // FerretDB reports a duplicate as such only for an insert; otherwise it is an internal error.
  const duplicate = isFerret ? 1 : 11000

  describe('indexes', () => {
    test('when a unique value is repeated, then the error names index, key and value', async () => {
      const Item = freshModel(connection)
      await Item.collection.createIndex({ email: 1 }, { unique: true })
      await Item.create({ _id: 1, email: 'a@b.c' })
      const error = await Item.create({ _id: 2, email: 'a@b.c' }).catch(e => e)
      expect(error).toMatchObject({ code: 11000 })
      expect(await Item.countDocuments()).toBe(1)
      if (isFerret) return // Its errors name only the collection
      expect(error.message).toMatch(/^E11000 duplicate key error collection: .+\.case\d+ index: email_1/)
      expect(error).toMatchObject({ keyPattern: { email: 1 }, keyValue: { email: 'a@b.c' } })
    })

    test('when an update would duplicate a unique value, then it is refused without a change', async () => {
      const Item = freshModel(connection)
      await Item.collection.createIndex({ a: 1, b: -1 }, { unique: true })
      await Item.insertMany([
        { _id: 1, a: 1, b: 1 },
        { _id: 2, a: 1, b: 2 },
      ])
      await expect(Item.updateOne({ _id: 2 }, { $set: { b: 1 } })).rejects.toMatchObject({ code: duplicate })
      await expect(Item.findOneAndUpdate({ _id: 2 }, { $set: { b: 1 } })).rejects.toMatchObject({
        code: duplicate,
      })
      expect(await Item.findById(2).lean()).toEqual({ _id: 2, a: 1, b: 2 })
    })

    beyond('when an index is sparse, then only what it covers must be unique', async () => {
      const all = freshCollection(connection)
      await all.createIndex({ code: 1 }, { unique: true, sparse: true })
      await all.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3, code: 'x' }])
      await expect(all.insertOne({ code: 'x' })).rejects.toMatchObject({ code: 11000 })
      expect(await all.countDocuments({ code: null })).toBe(2)
      expect(await all.find({ code: 'x' }).toArray()).toHaveLength(1)
    })

    beyond('when an indexed field is an array, then each element is found and must be unique', async () => {
      const all = freshCollection(connection)
      await all.createIndex({ numbers: 1 }, { unique: true })
      await all.insertOne({ _id: 1, numbers: ['a', 'b'] })
      await expect(all.insertOne({ numbers: ['c', 'b'] })).rejects.toMatchObject({ code: 11000 })
      expect(await all.findOne({ numbers: 'b' })).toMatchObject({ _id: 1 })
      expect(await all.findOne({ numbers: ['a', 'b'] })).toMatchObject({ _id: 1 })
    })

    test('when an index is made again, then it stays as it is', async () => {
      const all = freshCollection(connection)
      await all.insertOne({ a: 1 })
      for (let time = 0; time < 2; time++)
        expect(await all.createIndex({ a: 1 }, { unique: true })).toBe('a_1')
      await expect(all.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 })
    })

    test('when a unique index is made over values that repeat, then it is refused and not there', async () => {
      const all = freshCollection(connection)
      await all.insertMany([{ a: 1 }, { a: 1 }])
      await expect(all.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: duplicate })
      await all.insertOne({ a: 1 })
    })

    test('when a query can use an index, then it finds the same as without', async () => {
      const [indexed, plain] = [freshCollection(connection), freshCollection(connection)]
      const documents = Array.from({ length: 200 }, (_, n) => ({
        _id: n,
        user: `u${n % 7}`,
        at: new Date(n * 1000),
        n: n % 3 ? n : null,
      }))
      await indexed.createIndex({ user: 1, at: -1 })
      await indexed.createIndex({ n: 1 })
      await Promise.all([indexed, plain].map(all => all.insertMany(documents)))
      const orders: Record<string, 1 | -1>[] = [{ at: -1 }, { at: 1 }, { n: 1, _id: 1 }]
      const filters = [
        { user: 'u3' },
        { user: { $in: ['u1', 'u2'] }, at: { $lt: new Date(50_000) } },
        { n: null },
        { n: { $gte: 10, $lt: 30 } },
        { user: 'u1', n: { $ne: null } },
      ]
      for (const filter of filters)
        for (const sort of orders) {
          const [a, b] = await Promise.all([indexed, plain].map(all => all.find(filter).sort(sort).toArray()))
          expect(a).toEqual(b)
        }
    })

    beyond(
      'when a document has expired, then it goes by itself',
      async () => {
        const all = freshCollection(connection)
        await all.createIndex({ at: 1 }, { expireAfterSeconds: 1 })
        await all.insertMany([
          { _id: 1, at: new Date(0) },
          { _id: 2, at: new Date(Date.now() + 600_000) },
          { _id: 3 },
        ])
        while ((await all.countDocuments()) > 2) await new Promise(resolve => setTimeout(resolve, 50))
        expect((await all.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([2, 3])
      },
      90_000,
    )

    beyond('when tries are limited by rate-limiter-flexible, then they are counted and refused', async () => {
      const limiter = new RateLimiterMongo({
        storeClient: connection,
        dbName: connection.name,
        tableName: `limits${Date.now()}`,
        points: 3,
        duration: 60,
      })
      await limiter.createIndexes()
      for (const remaining of [2, 1, 0])
        expect(await limiter.consume('key')).toMatchObject({ remainingPoints: remaining })
      await expect(limiter.consume('key')).rejects.toMatchObject({ remainingPoints: 0 })
      expect(await limiter.get('key')).toMatchObject({ consumedPoints: 4 })
      await limiter.delete('key')
      expect(await limiter.get('key')).toBeNull()
    })
  })
}
