import { insertOnce } from '@voxscribe/service'
import { createMemory } from '@voxscribe/service/testing'
import type { NoteRecord } from '../note/record.ts'
import { createNotes } from '../note/store.ts'
import { createTextWork } from './text-work.ts'

test('when the note is deleted meanwhile, then the call ends with 409, and nothing is written', async () => {
  const memory = createMemory()
  const documents = memory.documentsOf()
  const notes = createNotes(
    documents,
    () => new Date(0),
    () => {},
  )
  const note = { _id: 'n1', userId: 'u1', status: 'completed', deletedAt: null, text: 'hello', outbox: [] }
  await insertOnce(notes.model, note as unknown as NoteRecord)
  const rateLimits = (() => ({ count: async () => ({ left: 1 }) })) as never
  const model = { forUser: () => ({ name: 'small-1' }) } as never
  const { write } = createTextWork({
    documents,
    notes,
    model,
    rateLimits,
    leaseMs: 50,
    changed() {},
  })
  const writing = write(
    note as unknown as NoteRecord,
    () => false,
    async (_note, _model, signal, progress) => {
      progress({ unfinished: null })
      await notes.model.deleteOne({ _id: 'n1' })
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  )
  await expect(writing).rejects.toMatchObject({ code: 'text_under_way' })
  expect(memory.all('transcriptions')).toEqual([])
})
