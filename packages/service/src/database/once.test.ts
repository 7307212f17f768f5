import { z } from 'zod'
import { createMemory } from '../testing/memory-documents.ts'
import { schemaOf } from './documents.ts'
import type { Lease } from './hold.ts'
import { createOnce } from './once.ts'

const Task = z.object({
  _id: z.string(),
  isDone: z.boolean(),
  lease: z.custom<Lease>().nullable(),
  result: z.string().optional(),
})

function tasks() {
  const model = createMemory()
    .documentsOf()
    .model<z.infer<typeof Task>>('tasks', schemaOf(Task), { owner: null, because: 'a test' })
  return { model, once: createOnce(model, { isDone: false }, 1_000) }
}

test('when a key comes several times at once, then the work is done once and all get its record', async () => {
  const { once } = tasks()
  let times = 0
  const work = async () => ({ set: { isDone: true, result: `${++times}` } })
  const done = await Promise.all([1, 2, 3].map(() => once({ _id: 'key' }, work)))
  expect(done.map(({ record }) => record.result)).toEqual(['1', '1', '1'])
  expect(done.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1)
  expect((await once({ _id: 'other' }, work)).record.result).toBe('2')
})

test('when the work fails, then the next call does it, without a wait', async () => {
  const { model, once } = tasks()
  const broken = once({ _id: 'key', result: 'none' }, async () => {
    throw new Error('The provider is away')
  })
  await expect(broken).rejects.toThrow('The provider is away')
  const { record, isRepeat } = await once({ _id: 'key' }, async ({ result }) => ({
    set: { isDone: true, result: `after ${result}` },
  }))
  expect([record.result, isRepeat]).toEqual(['after none', false])
  expect(await model.findById('key').lean()).toMatchObject({ isDone: true, lease: null })
})
