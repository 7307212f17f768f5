import { freshCollection, freshModel, type Server } from './address.ts'

/** What statistics and lists need of aggregation; and what is refused. */
export const aggregationCases = ({ connection, isFerret, isEmbedded }: Server) => {
  const beyond = isFerret ? test.skip : test

  describe('aggregation', () => {
    const Note = freshModel(connection)
    beforeAll(async () => {
      const notes = [
        { _id: 1, user: 'a', status: 'completed', seconds: 10, tags: ['x', 'y'] },
        { _id: 2, user: 'a', status: 'failed', seconds: 5, tags: [] },
        { _id: 3, user: 'a', status: 'completed', seconds: 7, tags: ['x'] },
        { _id: 4, user: 'b', status: 'completed', seconds: 100 },
      ]
      await Note.insertMany(notes)
    })

    test('when notes are grouped, then the sums are right', async () => {
      const groups = await Note.aggregate([
        { $group: { _id: '$user', seconds: { $sum: '$seconds' } } },
        { $sort: { _id: 1 } },
      ])
      expect(groups).toEqual([
        { _id: 'a', seconds: 22 },
        { _id: 'b', seconds: 100 },
      ])
    })

    beyond('when notes are grouped, then counts and sums are right', async () => {
      const groups = await Note.aggregate([
        { $match: { user: 'a' } },
        { $group: { _id: '$status', count: { $sum: 1 }, seconds: { $sum: '$seconds' } } },
        { $sort: { _id: 1 } },
      ])
      expect(groups).toEqual([
        { _id: 'completed', count: 2, seconds: 17 },
        { _id: 'failed', count: 1, seconds: 5 },
      ])
    })

    test('when there is nothing to group, then there is no group', async () => {
      expect(
        await Note.aggregate([{ $match: { user: 'none' } }, { $group: { _id: null, n: { $sum: 1 } } }]),
      ).toEqual([])
    })

    test('when notes are sorted, skipped, limited and projected, then just those come', async () => {
      const found = await Note.aggregate([
        { $sort: { seconds: -1 } },
        { $skip: 1 },
        { $limit: 2 },
        { $project: { seconds: 1 } },
      ])
      expect(found).toEqual([
        { _id: 1, seconds: 10 },
        { _id: 3, seconds: 7 },
      ])
    })

    test('when notes are counted or unwound, then each counts', async () => {
      expect(await Note.aggregate([{ $match: { status: 'completed' } }, { $count: 'n' }])).toEqual([{ n: 3 }])
      const tags = await Note.aggregate([
        { $unwind: '$tags' },
        { $group: { _id: '$tags', n: { $sum: 1 } } },
        { $sort: { _id: 1 } },
      ])
      expect(tags).toEqual([
        { _id: 'x', n: 2 },
        { _id: 'y', n: 1 },
      ])
    })

    beyond('when fields are computed, then they hold the result', async () => {
      const found = await Note.aggregate([
        { $match: { _id: 1 } },
        { $addFields: { minutes: { $divide: ['$seconds', 60] }, long: { $gt: ['$seconds', 8] } } },
        { $project: { _id: 0, minutes: 1, long: 1, count: { $size: '$tags' } } },
      ])
      expect(found).toEqual([{ minutes: 10 / 60, long: true, count: 2 }])
    })

    beyond('when a group sums on a condition, then only those that meet it count', async () => {
      const when = (status: string) => ({ $sum: { $cond: [{ $eq: ['$status', status] }, 1, 0] } })
      const found = await Note.aggregate([
        { $match: { user: 'a' } },
        {
          $group: {
            _id: null,
            total: { $sum: 1 },
            completed: when('completed'),
            failed: when('failed'),
            longest: { $max: '$seconds' },
            mean: { $avg: '$seconds' },
          },
        },
      ])
      expect(found).toEqual([{ _id: null, total: 3, completed: 2, failed: 1, longest: 10, mean: 22 / 3 }])
    })

    beyond('when there are facets, then each has its own result', async () => {
      const [found] = await Note.aggregate([
        { $match: { user: 'a' } },
        {
          $facet: {
            items: [{ $sort: { _id: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }],
            total: [{ $count: 'n' }],
          },
        },
      ])
      expect(found).toEqual({ items: [{ _id: 3 }], total: [{ n: 3 }] })
    })
  })

  describe('refusals', () => {
    beyond('when a stage is unknown, then the code says so', async () => {
      const all = freshCollection(connection)
      await expect(all.aggregate([{ $foo: {} }]).toArray()).rejects.toMatchObject({ code: 40324 })
    })

    test('when a command is unknown, then the code says so', async () => {
      await expect(connection.db!.command({ foo: 1 })).rejects.toMatchObject({
        code: 59,
        codeName: 'CommandNotFound',
      })
    })

    const embeddedOnly = isEmbedded ? test : test.skip
    embeddedOnly(
      'when something is asked that is not done here, then it is refused, not ignored',
      async () => {
        const all = freshCollection(connection)
        const refused = (work: Promise<unknown>, code = 238) => expect(work).rejects.toMatchObject({ code })
        await refused(
          all.aggregate([{ $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: 'c' } }]).toArray(),
        )
        await refused(all.aggregate([{ $out: 'x' }]).toArray())
        await refused(all.find({ $where: 'true' }).toArray())
        await refused(all.find({ $expr: { $function: { body: 'x', args: [], lang: 'js' } } }).toArray())
        await refused(all.updateOne({}, [{ $set: { a: 1 } }]))
        await refused(all.find({}, { collation: { locale: 'de' } }).toArray())
        await refused(all.createIndex({ a: 'text' }))
        await refused(connection.db!.command({ find: all.collectionName, nonsense: 1 }), 40415)
      },
    )

    test('when a transaction is begun, then it is refused as on any server that stands alone', async () => {
      const Item = freshModel(connection)
      await Item.createCollection()
      const session = await connection.startSession()
      session.startTransaction()
      await expect(Item.create([{ _id: 1 }], { session })).rejects.toThrow()
      await session.abortTransaction().catch(() => {})
      await session.endSession()
      expect(await Item.countDocuments()).toBe(0)
    })

    test('when a collection is dropped, then it is empty and off the list', async () => {
      const all = freshCollection(connection)
      await all.insertOne({ a: 1 })
      const names = async () => (await connection.db!.listCollections().toArray()).map(({ name }) => name)
      expect(await names()).toContain(all.collectionName)
      await all.drop()
      expect(await names()).not.toContain(all.collectionName)
      expect(await all.countDocuments()).toBe(0)
    })
  })
}
