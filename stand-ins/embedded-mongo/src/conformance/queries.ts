import { ObjectId } from 'bson'
import { freshCollection, type Server } from './address.ts'

const id = new ObjectId()
const documents = [
  { _id: 1, n: 1, s: 'apple', tags: ['a', 'b'], at: new Date(1_000), o: { x: 1 }, on: true },
  { _id: 2, n: 2.5, s: 'Banana', tags: [], at: new Date(2_000), o: { x: 2, y: 1 }, on: false },
  {
    _id: 3,
    n: -3,
    s: 'cherry pie',
    tags: ['b'],
    owner: id,
    lines: [
      { q: 1, r: 'x' },
      { q: 5, r: 'y' },
    ],
  },
  { _id: 4, n: null, s: 'date', lines: [{ q: 5, r: 'x' }] },
  { _id: 5, s: 'É', n: '1' },
]

const everywhere: [string, object, number[]][] = [
  ['equality of a number', { n: 1 }, [1]],
  ['equality of text', { s: 'date' }, [4]],
  ['equality of an id', { owner: id }, [3]],
  ['equality of a date', { at: new Date(2_000) }, [2]],
  ['equality with null finds missing fields too', { owner: null }, [1, 2, 4, 5]],
  ['an element of an array', { tags: 'b' }, [1, 3]],
  ['a whole array', { tags: ['a', 'b'] }, [1]],
  ['an embedded document in its order', { o: { x: 2, y: 1 } }, [2]],
  ['a dotted path', { 'o.x': { $gte: 1 } }, [1, 2]],
  ['a dotted path through an array', { 'lines.q': 5 }, [3, 4]],
  ['$gt among numbers only', { n: { $gt: 0 } }, [1, 2]],
  ['a range', { n: { $gte: -3, $lt: 2 } }, [1, 3]],
  ['$lte on dates', { at: { $lte: new Date(1_000) } }, [1]],
  ['$ne also finds missing fields', { n: { $ne: 1 } }, [2, 3, 4, 5]],
  ['$in', { n: { $in: [1, 2.5, 7] } }, [1, 2]],
  ['$nin', { s: { $nin: ['apple', 'date'] } }, [2, 3, 5]],
  ['$in of nothing', { n: { $in: [] } }, []],
  ['$or', { $or: [{ n: 1 }, { s: 'date' }] }, [1, 4]],
  ['$and', { $and: [{ tags: 'b' }, { n: { $lt: 0 } }] }, [3]],
  ['how a text begins', { s: /^ch/ }, [3]],
  ['how an element begins', { tags: /^b/ }, [1, 3]],
  ['a boolean', { on: false }, [2]],
]

const notInFerret: [string, object, number[]][] = [
  ['$elemMatch', { lines: { $elemMatch: { q: 5, r: 'x' } } }, [4]],
  ['$elemMatch on values', { tags: { $elemMatch: { $gt: 'a' } } }, [1, 3]],
]

/** Cases of filters, each over the same five documents, and of sort orders. */
export function queryCases({ connection, isFerret }: Server) {
  const beyond = isFerret ? test.skip : test

  describe('filters', () => {
    const all = freshCollection(connection)
    beforeAll(async () => void (await all.insertMany(documents)))
    const find = async (filter: object) => {
      const found = await all.find(filter).sort({ _id: 1 }).toArray()
      return found.map(({ _id }) => _id)
    }

    test.each(everywhere)(
      'when the filter is %s, then it finds what MongoDB finds',
      async (_name, filter, ids) => {
        expect(await find(filter)).toEqual(ids)
      },
    )
    beyond.each(notInFerret)(
      'when the filter is %s, then it finds what MongoDB finds',
      async (_name, filter, ids) => {
        expect(await find(filter)).toEqual(ids)
      },
    )

    test('when a filter has an unknown operator, then it is refused', async () => {
      await expect(find({ n: { $foo: 1 } })).rejects.toMatchObject({ code: 2 })
      await expect(find({ $foo: 1 })).rejects.toMatchObject({ code: 2 })
    })
  })

  describe('projections', () => {
    test('when a projection mixes fields to keep and to leave out, then it is refused', async () => {
      const all = freshCollection(connection)
      await all.insertOne({ a: 1 })
      await expect(all.findOne({}, { projection: { a: 1, b: 0 } })).rejects.toMatchObject({ code: 31254 })
    })
  })

  describe('order', () => {
    test('when values of many types are sorted, then they stand in the order of their types', async () => {
      const all = freshCollection(connection)
      const ordered = [null, -1, 2, 2.5, 'B', 'a', { x: 1 }, id, false, true, new Date(0)]
      await all.insertMany(ordered.map((v, i) => ({ _id: i, v })).toReversed())
      const up = await all.find().sort({ v: 1 }).toArray()
      expect(up.map(({ _id }) => _id)).toEqual(ordered.map((_, i) => i))
      const down = await all.find().sort({ v: -1 }).toArray()
      expect(down.map(({ _id }) => _id)).toEqual(ordered.map((_, i) => i).toReversed())
    })

    test('when two fields are sorted, then the second decides among equals', async () => {
      const all = freshCollection(connection)
      await all.insertMany([
        { _id: 1, a: 1, b: 1 },
        { _id: 2, a: 1, b: 2 },
        { _id: 3, a: 0, b: 3 },
      ])
      const found = await all.find().sort({ a: 1, b: -1 }).toArray()
      expect(found.map(({ _id }) => _id)).toEqual([3, 2, 1])
    })
  })
}
