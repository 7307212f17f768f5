import { freshCollection, type Server } from './address.ts'

type Case = [string, Record<string, unknown>, object, Record<string, unknown>]

const everywhere: Case[] = [
  ['$set of a nested field', {}, { $set: { 'a.b': 1 } }, { a: { b: 1 } }],
  ['$set of an element', { a: [1, 2] }, { $set: { 'a.1': 5 } }, { a: [1, 5] }],
  ['$unset', { a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
  ['$inc of a missing field', {}, { $inc: { n: 2 } }, { n: 2 }],
  ['$inc down', { n: 1 }, { $inc: { n: -2.5 } }, { n: -1.5 }],
  ['$max', { n: 3, m: 3 }, { $max: { n: 2, m: 4 } }, { n: 3, m: 4 }],
  ['$push of one', { a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
  ['$push onto a missing field', {}, { $push: { a: 2 } }, { a: [2] }],
  ['$pull of a value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
]

const notInFerret: Case[] = [
  ['$push of each', { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
  [
    '$push that keeps the last two',
    { a: [1, 2] },
    { $push: { a: { $each: [3], $slice: -2 } } },
    { a: [2, 3] },
  ],
  ['$pull by a comparison', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  [
    '$pull of documents',
    { a: [{ id: 1, x: 1 }, { id: 2 }] },
    { $pull: { a: { id: 1 } } },
    { a: [{ id: 2 }] },
  ],
  [
    '$pull of documents by $in',
    { a: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    { $pull: { a: { id: { $in: [1, 3] } } } },
    { a: [{ id: 2 }] },
  ],
]

export function updateCases({ connection, isFerret }: Server) {
  describe('updates', () => {
    const all = freshCollection(connection)
    let number = 0
    const changed = async (start: object, update: object) => {
      const _id = `case${number++}`
      await all.insertOne({ _id, ...start })
      await all.updateOne({ _id }, update)
      const { _id: _, ...rest } = (await all.findOne({ _id }))!
      return rest
    }

    test.each(everywhere)(
      'when the update is %s, then the document is as MongoDB makes it',
      async (_name, start, update, end) => {
        expect(await changed(start, update)).toEqual(end)
      },
    )
    const beyond = isFerret ? test.skip : test
    beyond.each(notInFerret)(
      'when the update is %s, then the document is as MongoDB makes it',
      async (_name, start, update, end) => {
        expect(await changed(start, update)).toEqual(end)
      },
    )

    test('when an update is wrong, then it has the code that MongoDB gives it', async () => {
      await expect(changed({ n: 'text' }, { $inc: { n: 1 } })).rejects.toMatchObject({ code: 14 })
      await expect(changed({ a: 1 }, { $push: { a: 1 } })).rejects.toMatchObject({ code: 2 })
      await expect(changed({}, { $set: { a: 1 }, $inc: { a: 1 } })).rejects.toMatchObject({ code: 40 })
      await expect(changed({}, { $foo: { a: 1 } })).rejects.toMatchObject({ code: 9 })
      await expect(changed({}, { $set: { _id: 'other' } })).rejects.toMatchObject({ code: 66 })
    })

    test('when a field is put below a value that is no document, then it is refused', async () => {
      await expect(changed({ a: 5 }, { $set: { 'a.b': 1 } })).rejects.toMatchObject({ code: 28 })
    })
  })
}
