import type { Model } from 'mongoose'
import type { NoteRecord } from '../note/record.ts'
import { createPassages } from './passages.ts'

test('when many long notes have a word, then they are read one by one, and no more than a search may', async () => {
  const text = 'The boiler cost two hundred euros. '.repeat(8_000)
  let read = 0
  const noteOf = (_id: string) => {
    read += 1
    const createdAt = new Date(Number(_id) * 1000)
    return { _id, title: 'Boiler', fileName: 'a.ogg', text, segments: [], durationSeconds: 9, createdAt }
  }
  const model = {
    countDocuments: async () => 30,
    find: () => ({ lean: async () => Array.from({ length: 30 }, (_, id) => ({ _id: `${id}` })) }),
    findOne: ({ _id }: { _id: string }) => ({ lean: async () => noteOf(_id) }),
  }
  const { find } = createPassages(model as unknown as Model<NoteRecord>)
  const found = await find({ userId: 'ada' }, {}, ['boiler'], 30, 2_000)
  expect(found[0]?.text).toContain('two hundred euros')
  // The newest of equals first.
  expect(found[0]?.note._id).toBe('1')
  // 600,000 characters are two of these notes; with the third, the search ends.
  expect(read).toBe(3)
})
