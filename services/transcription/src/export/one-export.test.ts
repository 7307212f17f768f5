import { createMemory } from '@voxscribe/service/testing'
import { createOneExport } from './one-export.ts'

const process = (memory: ReturnType<typeof createMemory>) => createOneExport(memory.documentsOf(), 20_000)

test('when an export is under way, then the person’s next is 429 in every process', async () => {
  const memory = createMemory()
  const [here, there] = [process(memory), process(memory)]
  const first = await here.begin('ada')
  for (const { begin } of [here, there])
    await expect(begin('ada')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 10 })
  await (await there.begin('bob')).release()
  await first.release()
  const next = await there.begin('ada')
  // The first one is released twice.
  await first.release()
  await expect(here.begin('ada')).rejects.toMatchObject({ status: 429 })
  await next.release()
})

test('when its person is erased, then an export under way breaks off', async () => {
  const here = process(createMemory())
  const { signal, release } = await here.begin('ada')
  here.end('ada')
  expect(signal.aborted).toBe(true)
  await release()
  await (await here.begin('ada')).release()
})
