import { deskWithTextModel, type Note, says } from '../testing/text-model-fake.ts'

const GIST = { lines: ['Somebody says hello.'], tasks: [] }

// An answer of the fake costs 1.10 dollars.
const { fake, desk, complete } = await deskWithTextModel({
  TEXT_PRICE: '1000/1000',
  TEXT_BUDGET: '1.2',
  TEXT_TIMEOUT: '3s',
})
const gist = ({ id, userId }: Note, language: string) =>
  desk.call('POST', `/transcriptions/${id}/gist`, userId, { headers: { 'accept-language': language } })
const spent = async () => (await desk.stored('text_costs').findOne({})) as unknown as { microDollars: number }
beforeEach(() => desk.stored('text_costs').deleteMany({}))

test('when it is used up, then it is 409, and the next month would begin at zero', async () => {
  fake.answers(says(GIST))
  const note = await complete()
  expect((await gist(note, 'es')).status).toBe(200)
  expect(await spent()).toMatchObject({ microDollars: 1_100_000 })
  const { status, body } = await gist(note, 'fr')
  expect([status, body.code]).toEqual([409, 'text_budget_spent'])
  expect(fake.asked).toHaveLength(1)
  expect(await spent()).toMatchObject({ microDollars: 1_100_000 })
})

test('when calls time out, then they stay in the sum, and others are refused in the end', async () => {
  fake.answers('never')
  const note = await complete()
  const answers = [
    await gist(note, 'es'),
    await gist(note, 'fr'),
    await gist(note, 'de'),
    await gist(note, 'it'),
  ]
  expect(answers.at(-1)).toMatchObject({ status: 409, body: { code: 'text_budget_spent' } })
  expect((await spent()).microDollars).toBeGreaterThan(500_000)
})

test('when the provider answers with an error, then it costs nothing', async () => {
  fake.answers({ status: 400, body: { error: { message: 'no' } } })
  const note = await complete()
  for (let tries = 0; tries < 8; tries++) expect((await gist(note, 'es')).status).toBe(502)
  expect(await spent()).toMatchObject({ microDollars: 0 })
})
