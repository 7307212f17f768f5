import { ObjectId } from 'bson'
import mongoose from 'mongoose'
import { freshCollection, freshModel, type Server } from './address.ts'

/** Cases of reading and writing in mongoose's way. */
export function crudCases({ connection }: Server) {
  describe('documents', () => {
    test('when a document is created, then it is found by its id, dates and ids as they were', async () => {
      const schema = new mongoose.Schema(
        { email: String, born: Date, tags: [String], owner: mongoose.Types.ObjectId },
        { timestamps: true },
      )
      const User = connection.model('User', schema)
      const made = await User.create({
        email: 'a@b.c',
        born: new Date(0),
        tags: ['x'],
        owner: new ObjectId(),
      })
      const found = await User.findById(made._id).lean()
      expect(found).toEqual(made.toObject())
    })

    test('when one of several inserts has a known id, then only those before it are stored', async () => {
      const all = freshCollection(connection)
      const error = await all.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }]).catch(e => e)
      expect(error).toMatchObject({ code: 11000 })
      expect(error.writeErrors[0]).toMatchObject({ index: 2, code: 11000 })
      expect(await idsOf(all.find())).toEqual([1, 2])
    })

    test('when they are inserted unordered, then all but the known one stay', async () => {
      const all = freshCollection(connection)
      const error = await all
        .insertMany([{ _id: 1 }, { _id: 1 }, { _id: 3 }], { ordered: false })
        .catch(e => e)
      expect(error).toMatchObject({ code: 11000 })
      expect(await idsOf(all.find())).toEqual([1, 3])
    })

    test('when documents are sorted, skipped, limited and projected, then just that comes', async () => {
      const Item = freshModel(connection)
      await Item.insertMany([1, 2, 3, 4, 5].map(n => ({ _id: n, n, other: { a: n, b: n } })))
      const found = await Item.find({ n: { $gt: 1 } })
        .sort({ n: -1 })
        .skip(1)
        .limit(2)
        .select('n')
        .lean()
      expect(found).toEqual([
        { _id: 4, n: 4 },
        { _id: 3, n: 3 },
      ])
      expect(await Item.findOne({ n: 1 }).select('-other -_id').lean()).toEqual({ n: 1 })
    })

    test('when there are more than one batch holds, then the cursor brings all of them', async () => {
      const Item = freshModel(connection)
      await Item.insertMany(Array.from({ length: 350 }, (_, n) => ({ _id: n })))
      expect(await Item.find().lean()).toHaveLength(350)
      let last = -1
      for await (const item of Item.find().sort({ _id: 1 }).batchSize(20).lean().cursor()) {
        expect(item._id).toBe(last + 1)
        last += 1
      }
      expect(last).toBe(349)
    })

    test('when a cursor is closed early, then the server lets it go', async () => {
      const all = freshCollection(connection)
      await all.insertMany(Array.from({ length: 50 }, (_, n) => ({ _id: n })))
      const cursor = all.find().batchSize(5)
      await cursor.next()
      const { id } = cursor
      await cursor.close()
      const more = connection.db!.command({ getMore: id, collection: all.collectionName })
      await expect(more).rejects.toMatchObject({ code: 43 })
    })
  })

  describe('changes', () => {
    test('when one or many are updated, then the counts say how many were found and how many changed', async () => {
      const Item = freshModel(connection)
      await Item.insertMany([
        { _id: 1, a: 1 },
        { _id: 2, a: 1 },
        { _id: 3, a: 2 },
      ])
      expect(await Item.updateOne({ a: 1 }, { $set: { a: 1 } })).toMatchObject({
        matchedCount: 1,
        modifiedCount: 0,
      })
      expect(await Item.updateMany({}, { $set: { a: 2 } })).toMatchObject({
        matchedCount: 3,
        modifiedCount: 2,
      })
      expect(await Item.updateOne({ a: 9 }, { $set: { a: 1 } })).toMatchObject({
        matchedCount: 0,
        upsertedCount: 0,
      })
    })

    test('when nothing matches an upsert, then it inserts the filter’s equalities and the update', async () => {
      const Item = freshModel(connection)
      const update = { $set: { b: 2 }, $setOnInsert: { c: 3 }, $inc: { n: 1 } }
      const first = await Item.updateOne({ _id: 'x', a: 1, d: { $gt: 5 } }, update, { upsert: true })
      expect(first).toMatchObject({ upsertedId: 'x', upsertedCount: 1, matchedCount: 0 })
      await Item.updateOne(
        { _id: 'x' },
        { $set: { b: 4 }, $setOnInsert: { c: 9 }, $inc: { n: 1 } },
        { upsert: true },
      )
      expect(await Item.find().lean()).toEqual([{ _id: 'x', a: 1, b: 4, c: 3, n: 2 }])
    })

    test('when one is found and updated, then it comes as it was or as it is', async () => {
      const Item = freshModel(connection)
      await Item.insertMany([
        { _id: 1, n: 1 },
        { _id: 2, n: 5 },
      ])
      expect(
        await Item.findOneAndUpdate({ _id: 2 }, { $inc: { n: 1 } }, { returnDocument: 'before' }).lean(),
      ).toEqual({ _id: 2, n: 5 })
      expect(
        await Item.findOneAndUpdate({ n: 6 }, { $inc: { n: 1 } }, { returnDocument: 'after' }).lean(),
      ).toEqual({ _id: 2, n: 7 })
      expect(await Item.findOneAndUpdate({ n: 99 }, { $inc: { n: 1 } }).lean()).toBeNull()
      const highest = { sort: { n: -1 }, returnDocument: 'before' } as const
      expect(await Item.findOneAndUpdate({}, { $inc: { n: -9 } }, highest).lean()).toEqual({ _id: 2, n: 7 })
      expect(await Item.findOneAndUpdate({}, { $inc: { n: 9 } }, highest).lean()).toEqual({ _id: 1, n: 1 })
      expect(
        await Item.findOneAndUpdate(
          { _id: 3 },
          { $inc: { n: 1 } },
          { upsert: true, returnDocument: 'after' },
        ).lean(),
      ).toEqual({ _id: 3, n: 1 })
      expect(await Item.countDocuments()).toBe(3)
    })

    test('when one or many are deleted, then that many are gone', async () => {
      const Item = freshModel(connection)
      await Item.insertMany([1, 2, 3, 4].map(n => ({ _id: n, even: n % 2 === 0 })))
      expect(await Item.deleteOne({ even: true })).toMatchObject({ deletedCount: 1 })
      expect(await Item.deleteMany({ even: false })).toMatchObject({ deletedCount: 2 })
      expect(await Item.find().lean()).toEqual([{ _id: 4, even: true }])
    })

    test('when a mixed bulk is written, then each part does its work', async () => {
      const Item = freshModel(connection)
      const result = await Item.bulkWrite([
        { insertOne: { document: { _id: 1, n: 1 } } },
        { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } },
        { updateOne: { filter: { _id: 2 }, update: { $set: { n: 9 } }, upsert: true } },
        { deleteOne: { filter: { _id: 1 } } },
      ])
      expect(result).toMatchObject({ insertedCount: 1, modifiedCount: 1, upsertedCount: 1, deletedCount: 1 })
      expect(await Item.find().lean()).toEqual([{ _id: 2, n: 9 }])
    })
  })

  describe('counting', () => {
    test('when documents are counted, then filters count', async () => {
      const Item = freshModel(connection)
      await Item.insertMany([1, 2, 3, 4].map(n => ({ _id: n, kind: n > 2 ? 'b' : 'a' })))
      expect(await Item.countDocuments({ kind: 'a' })).toBe(2)
      expect(await Item.countDocuments({ kind: 'none' })).toBe(0)
      expect(await Item.countDocuments({ kind: 'a' }, { limit: 1 })).toBe(1)
      expect(await Item.countDocuments({}, { limit: 3 })).toBe(3)
      expect(await Item.countDocuments({}, { limit: 9 })).toBe(4)
      expect(await Item.exists({ kind: 'b' })).not.toBeNull()
    })
  })
}

const idsOf = async (cursor: { toArray: () => Promise<{ _id?: unknown }[]> }) =>
  (await cursor.toArray()).map(({ _id }) => _id)
