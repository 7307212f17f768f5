import { createMemory } from '@voxscribe/service/testing'
import { createOneExport } from './one-export.ts'

const process = (memory: ReturnType<typeof createMemory>, lastsMs = 20_000) =>
  createOneExport(
    memory.documentsOf(
      async () => undefined,
      () => {},
    ),
    lastsMs,
  )

test('when an export is under way, then the person’s next is 429 in every process', async () => {
  const memory = createMemory()
  const [here, there] = [process(memory), process(memory)]
  const first = await here('ada')
  for (const begin of [here, there])
    await expect(begin('ada')).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 10 })
  await (await there('bob')).release()
  await first.release()
  const next = await there('ada')
  // The first one's release comes twice.
  await first.release()
  await expect(here('ada')).rejects.toMatchObject({ kind: 'rate_limited' })
  await next.release()
})

test('when the only process was killed in an export, then its successor begins the next at once', async () => {
  const memory = createMemory()
  await process(memory, 0)('ada')
  await (await process(memory, 0)('ada')).release()
})
