import { createLog } from '@voxscribe/service'
import { eventually } from '@voxscribe/service/testing'
import { z } from 'zod'
import { FREE } from '../queue/spending.ts'
import { type Asked, says, startTextModelFake } from '../testing/text-model-fake.ts'
import { createTextModel } from './model.ts'

const fake = await startTextModelFake()
afterAll(() => fake.stop())

test('when somebody asks many things at once, then another person’s question is next', async () => {
  const settings = { TEXT_MODEL: 'small-1', TEXT_BASE_URL: fake.baseUrl, OPENAI_BASE_URL: fake.baseUrl }
  const models = createTextModel({ ...settings, TEXT_TIMEOUT: 60_000 }, createLog('test', 'silent'), FREE)
  const [first, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const asked: string[] = []
  fake.answers(async ({ messages: [, { content }] }: Asked) => {
    await (asked.push(content) === 1 ? first : others).promise
    return says({ word: content })
  })
  const [schema, { signal }] = [z.object({ word: z.string() }), new AbortController()]
  const ask = (userId: string) =>
    models.forUser(userId).askOnce({ name: 'echo', instructions: '', data: userId, schema }, signal)
  const all = [...Array.from({ length: 12 }, () => ask('ann')), ask('ben'), ask('ann')]
  await eventually(() => asked[3])
  first.resolve()
  expect(await eventually(() => asked[4])).toBe('ben')
  others.resolve()
  await Promise.all(all)
})
