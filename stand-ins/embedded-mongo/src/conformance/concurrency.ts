import { freshCollection, type Server } from './address.ts'

const clients = Array.from({ length: 100 }, (_, i) => i)

/** Cases of single-document updates, which are atomic however many come at once. */
export function concurrencyCases({ connection }: Server) {
  describe('concurrency', () => {
    test('when 100 clients increment, then no increment is lost', async () => {
      const all = freshCollection(connection)
      await all.insertOne({ _id: 'n', n: 0 })
      await Promise.all(
        clients.map(async () => {
          for (let i = 0; i < 5; i++) await all.updateOne({ _id: 'n' }, { $inc: { n: 1 } })
        }),
      )
      expect(await all.findOne({ _id: 'n' })).toEqual({ _id: 'n', n: 500 })
    })

    test('when 100 clients reserve from a limited amount, then it never goes below zero', async () => {
      const all = freshCollection(connection)
      await all.insertOne({ _id: 'account', left: 30 })
      const results = await Promise.all(
        clients.map(() => all.updateOne({ _id: 'account', left: { $gte: 1 } }, { $inc: { left: -1 } })),
      )
      expect(results.filter(({ modifiedCount }) => modifiedCount === 1)).toHaveLength(30)
      expect(await all.findOne({ _id: 'account' })).toMatchObject({ left: 0 })
    })

    test('when 100 clients claim 60 jobs, then each job has one owner', async () => {
      const all = freshCollection(connection)
      await all.insertMany(Array.from({ length: 60 }, (_, i) => ({ _id: i, owner: null })))
      const claims = await Promise.all(
        clients.map(owner =>
          all.findOneAndUpdate({ owner: null }, { $set: { owner } }, { returnDocument: 'after' }),
        ),
      )
      const jobs = claims.filter(claim => claim !== null)
      expect(new Set(jobs.map(({ _id }) => String(_id))).size).toBe(60)
      expect(jobs).toHaveLength(60)
    })

    test('when 100 clients upsert the same key, then there is one document', async () => {
      const all = freshCollection(connection)
      await all.createIndex({ key: 1 }, { unique: true })
      const upsert = () => all.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true })
      const results = await Promise.allSettled(clients.map(upsert))
      const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 11000 })
      expect(await all.find().toArray()).toMatchObject([{ key: 'k', n: 100 - refused.length }])
    })

    test('when one of many commands fails, then its neighbours stand', async () => {
      const all = freshCollection(connection)
      await all.createIndex({ key: 1 }, { unique: true })
      const results = await Promise.allSettled(
        clients.map(i => all.insertOne({ _id: i, key: i % 10 === 9 ? 'taken' : i })),
      )
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(9)
      expect(await all.countDocuments()).toBe(91)
    })
  })
}
