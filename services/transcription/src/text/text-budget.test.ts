import { randomUUID } from 'node:crypto'
import { NoteCommandReceived } from '@voxscribe/contracts/events'
import { eventually, silentLog } from '@voxscribe/service/testing'
import { z } from 'zod'
import { deskWithTextModel, type Note, says } from '../testing/text-model-fake.ts'
import { createTextModel } from './model.ts'

const GIST = { lines: ['Somebody says hello.'], tasks: [] }

// An answer of the fake costs $1.10.
const { fake, desk, complete } = await deskWithTextModel({
  TEXT_PRICE: '1000/1000',
  MODEL_BUDGET: '1.2',
  TEXT_TIMEOUT: '3s',
  RATE_LIMITS: 'off',
})
const gist = ({ id, userId }: Note, language: string) =>
  desk.call('POST', `/transcriptions/${id}/gist`, userId, { headers: { 'accept-language': language } })
const costs = desk.stored('model_costs')
const spent = async () => (await costs.findOne({})) as unknown as { microDollars: number }
beforeEach(() => costs.deleteMany({}))

test('when it is spent, then it is 429 until midnight in UTC, and the person keeps their try', async () => {
  fake.answers(says(GIST))
  const note = await complete()
  expect((await gist(note, 'es')).status).toBe(200)
  expect((await gist(note, 'de')).status).toBe(200)
  expect(await spent()).toMatchObject({ microDollars: 2_200_000 })
  for (let tries = 0; tries < 62; tries++) {
    const { status, body, headers } = await gist(note, 'fr')
    expect([status, body.code]).toEqual([429, 'model_budget_spent'])
    const midnight = 86_400 - ((Date.now() / 1000) % 86_400)
    expect(Math.abs(Number(headers.get('retry-after')) - midnight)).toBeLessThan(60)
  }
  expect(fake.asked).toHaveLength(2)
  expect(await spent()).toMatchObject({ microDollars: 2_200_000 })
  // Yesterday's cost does not count today.
  await costs.deleteMany({})
  expect((await gist(note, 'fr')).status).toBe(200)
})

test('when engines have spent it, then there is no summary either', async () => {
  const note = await complete()
  fake.answers(says(GIST))
  await gist(note, 'es')
  await costs.updateOne({}, { $set: { microDollars: 1_200_000 } })
  expect((await gist(note, 'fr')).body.code).toBe('model_budget_spent')
  expect(fake.asked).toHaveLength(1)
})

test('when an unclear message is put to the model, then it costs, and once the budget is spent, none is put', async () => {
  fake.answers(says({ act: 'help', words: '', language: '' }))
  const { id: noteId, userId } = await complete()
  async function ask() {
    const event = NoteCommandReceived.create({
      userId,
      command: { name: 'unclear', text: 'do the thing' },
      source: { channel: 'whatsapp', address: '16505550100', messageId: `wamid.${randomUUID()}` },
      noteId,
    })
    await desk.bus.publish(event)
    const answer = () => desk.bus.sent('MessageUnderstood').find(({ causeId }) => causeId === event.id)
    return (await eventually(answer)).data.command
  }
  expect(await ask()).toBe('help')
  expect(await spent()).toMatchObject({ microDollars: 1_100_000 })
  await costs.updateOne({}, { $set: { microDollars: 1_200_000 } })
  expect(await ask()).toBe('hint')
  expect(fake.asked).toHaveLength(1)
})

test('when calls time out, then they stay in the sum', async () => {
  fake.answers('never')
  const notes = await Promise.all([complete(), complete()])
  const answers = await Promise.all(notes.map(note => gist(note, 'es')))
  expect(answers.map(({ status }) => status)).toEqual([502, 502])
  // The most that both calls may have cost.
  expect((await spent()).microDollars).toBeGreaterThan(500_000)
})

test('when the provider answers with an error, then it costs nothing', async () => {
  fake.answers({ status: 400, body: { error: { message: 'no' } } })
  const note = await complete()
  for (let tries = 0; tries < 8; tries++) expect((await gist(note, 'es')).status).toBe(502)
  expect(await spent()).toBeNull()
})

test('when the text model is free, then a spent budget leaves it alone', async () => {
  fake.answers(says({}))
  const settings = { TEXT_MODEL: 'own', TEXT_BASE_URL: fake.baseUrl, OPENAI_BASE_URL: fake.baseUrl }
  const task = { name: 'echo', instructions: '', data: {}, schema: z.object({}) }
  const ask = (price: number) => {
    const TEXT_PRICE = { input: price, output: price }
    const model = createTextModel({ ...settings, TEXT_PRICE, TEXT_TIMEOUT: 3_000 }, silentLog, async () => {
      throw new Error('spent')
    })
    return model.forUser('u1').ask(task, new AbortController().signal)
  }
  expect(await ask(0)).toEqual({})
  await expect(ask(1)).rejects.toMatchObject({ code: 'text_model_failed' })
})
