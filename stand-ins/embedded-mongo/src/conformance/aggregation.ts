import { freshCollection, freshModel, type Server } from './address.ts'

/** Cases of the aggregation that statistics and lists need, and of refused pipelines. */
export function aggregationCases({ connection, isFerret, isEmbedded }: Server) {
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

    test('when notes are summed up, then the sums are right, and what is no number counts as nothing', async () => {
      const sums = { seconds: { $sum: '$seconds' }, none: { $sum: '$status' } }
      expect(await Note.aggregate([{ $group: { _id: null, ...sums } }])).toEqual([
        { _id: null, seconds: 122, none: 0 },
      ])
    })

    beyond('when some notes are counted and summed up, then counts and sums are right', async () => {
      const groups = await Note.aggregate([
        { $match: { user: 'a' } },
        { $group: { _id: null, count: { $sum: 1 }, seconds: { $sum: '$seconds' } } },
      ])
      expect(groups).toEqual([{ _id: null, count: 3, seconds: 22 }])
    })

    beyond(
      'when they are grouped by a field, then each group has its sums, with an index as without',
      async () => {
        const grouped = async () => {
          const sums = { n: { $sum: 1 }, seconds: { $sum: '$seconds' } }
          const groups = await Note.aggregate([
            { $match: { user: 'a' } },
            { $group: { _id: '$status', ...sums } },
          ])
          return groups.sort((one, other) => one.n - other.n)
        }
        const expected = [
          { _id: 'failed', n: 1, seconds: 5 },
          { _id: 'completed', n: 2, seconds: 17 },
        ]
        expect(await grouped()).toEqual(expected)
        await Note.collection.createIndex({ user: 1, status: 1, seconds: 1 })
        expect(await grouped()).toEqual(expected)
      },
    )

    test('when the filter pins every field of an index, then each of its documents is summed', async () => {
      const Note = freshModel(connection)
      await Note.create([
        { _id: 1, user: 'a', seconds: 5 },
        { _id: 2, user: 'a', seconds: 5 },
      ])
      await Note.collection.createIndex({ user: 1, seconds: 1 })
      const seconds = { $sum: '$seconds' }
      const group = { $group: { _id: '$user', seconds } }
      expect(await Note.aggregate([{ $match: { user: 'a', seconds: 5 } }, group])).toEqual([
        { _id: 'a', seconds: 10 },
      ])
    })

    test('when there is nothing to group, then there is no group', async () => {
      expect(
        await Note.aggregate([{ $match: { user: 'none' } }, { $group: { _id: null, n: { $sum: 1 } } }]),
      ).toEqual([])
    })
  })

  describe('refusals', () => {
    test('when a command is unknown, then it has the code of MongoDB', async () => {
      await expect(connection.db!.command({ foo: 1 })).rejects.toMatchObject({ code: 59 })
    })

    const embeddedOnly = isEmbedded ? test : test.skip
    embeddedOnly(
      'when something is asked that is not done here, then it is refused, not ignored',
      async () => {
        const all = freshCollection(connection)
        await all.insertOne({ a: 'a' })
        const refused = (work: Promise<unknown>, code = 238) => expect(work).rejects.toMatchObject({ code })
        for (const stage of [{ $lookup: {} }, { $out: 'x' }, { $sort: { a: 1 } }, { $facet: {} }])
          await refused(all.aggregate([{ $match: {} }, stage, { $group: { _id: null } }]).toArray())
        await refused(all.aggregate([{ $match: {} }]).toArray())
        await refused(all.aggregate([{ $group: { _id: null, n: { $avg: '$n' } } }]).toArray())
        await refused(all.aggregate([{ $group: { _id: { a: '$a' }, n: { $sum: 1 } } }]).toArray())
        for (const filter of [{ $where: 'true' }, { $expr: true }, { $nor: [{}] }, { a: { $exists: true } }])
          await refused(all.find(filter).toArray(), 2)
        for (const filter of [
          { a: /a/ },
          { a: /^a/i },
          { a: /^a.b/ },
          { a: { $in: [/^a/] } },
          { a: { $gt: {} } },
        ])
          await refused(all.find(filter).toArray())
        for (const operator of ['$addToSet', '$min', '$pop', '$rename', '$currentDate'])
          await refused(all.updateOne({}, { [operator]: { a: 1 } }), 9)
        await refused(all.updateOne({}, { $push: { a: { $each: [1], $slice: 2 } } } as object))
        await refused(all.updateOne({}, { $push: { a: { $each: [1], $sort: 1 } } } as object))
        await refused(all.updateOne({}, { $set: { 'a.$': 1 } }))
        await refused(all.updateOne({}, [{ $set: { a: 1 } }]))
        await refused(all.updateOne({}, { $set: { 'a.1.$[]': 1 } }))
        await refused(all.replaceOne({}, { a: 1 }))
        await refused(all.findOneAndDelete({}))
        await refused(all.findOne({ 'a.0': 1 }))
        await refused(all.findOne({}, { projection: { a: { $slice: 1 } } }))
        await refused(all.findOne({}, { projection: { 'a.b': 1 } }))
        await refused(all.createIndex({ a: 'text' }), 67)
        await refused(all.createIndex({ a: 1 }, { partialFilterExpression: { a: 1 } }), 40415)
        await refused(all.find({}, { collation: { locale: 'de' } }).toArray(), 40415)
        await refused(connection.db!.command({ find: all.collectionName, nonsense: 1 }), 40415)
      },
    )

    test('when a transaction is begun, then it is refused as on any server that stands alone', async () => {
      const Item = freshModel(connection)
      const session = await connection.startSession()
      session.startTransaction()
      await expect(Item.create([{ _id: 1 }], { session })).rejects.toThrow()
      await session.abortTransaction().catch(() => {})
      await session.endSession()
      expect(await Item.countDocuments()).toBe(0)
    })
  })
}
