import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { folderOfTests, startOpenAiFake, tone } from '@voxscribe/speech/testing'
import { startDesk } from '../testing.ts'

/** Recognizes Portuguese, unless another language is asked for; recognizes nothing in Swedish. */
const fake = await startOpenAiFake(async ({ form }) => {
  await held
  const code = form.get('languages[]') ?? 'pt'
  return { body: { text: code === 'sv' ? '' : `in ${code}`, languages: [{ code }] } }
})
let held: Promise<void> | undefined
const note = await tone(join(folderOfTests(), 'note.wav'))
const desk = await startDesk({
  SPEECH_ENGINE: 'openai',
  OPENAI_API_KEY: 'sk-test',
  OPENAI_BASE_URL: fake.baseUrl,
  RATE_LIMITS: 'off',
})
afterAll(async () => {
  await desk.stop()
  await fake.stop()
})

let sound = {}
beforeEach(() => {
  const userId = crypto.randomUUID()
  sound = { userId, sha256: userId.replaceAll('-', '').repeat(2) }
  fake.received.length = 0
})
const find = (id: string) => desk.noteOf(id, (sound as { userId: string }).userId)
const receive = async (language = 'auto') => (await desk.receive(note, { ...sound, language })).data.mediaId
/** Completes a note that asks for minutes; returns its text. */
async function heard(language?: string) {
  const id = await receive(language)
  const { reserved, done } = await desk.finish(id)
  return { id, reserved: reserved.seconds, charged: done.seconds, text: done.text }
}
/** Returns the text that a note gets without being recognized. */
async function given(language?: string) {
  const calls = fake.received.length
  const { data } = await desk.completed(await receive(language))
  expect([data.seconds, data.notices[0]?.code, fake.received.length]).toEqual([0, 'same_as', calls])
  return data.text
}
const waits = (id: string) =>
  eventually(async () => (await find(id))?.timeline.at(-1).step === 'waitingForSame')
const remove = (id: string) => desk.remove(id, (sound as { userId: string }).userId)

test('when the same bytes are asked for in another language, then they are heard in it, free', async () => {
  const first = await heard()
  expect(first).toMatchObject({ reserved: 2, charged: 2, text: 'in pt' })
  const german = await heard('de')
  expect(german).toMatchObject({ reserved: 0, charged: 0, text: 'in de' })
  expect(await find(german.id)).toMatchObject({ language: 'de', sameAs: first.id, notices: [] })
  expect(await find(first.id)).toMatchObject({ text: 'in pt' })
})

test('when the text is in that language, or any will do, then it is given as it is', async () => {
  await heard()
  expect(await given('pt')).toBe('in pt')
  expect(await given('auto')).toBe('in pt')
  await heard('de')
  expect(await given('de')).toBe('in de')
  expect(await given('auto')).toBe('in pt')
})

test('when the first was asked for in a language, then that is one that it is in', async () => {
  await heard('de')
  expect(await given('de')).toBe('in de')
})

test('when the first is still in progress, then the other waits for it, and is heard again after it', async () => {
  const gate = Promise.withResolvers<void>()
  held = gate.promise
  const first = await receive()
  await desk.reserve(first)
  await eventually(() => fake.received.length)
  const [german, second] = [await receive('de'), await receive('pt')]
  for (const id of [german, second]) await waits(id)
  gate.resolve()
  held = undefined
  expect((await desk.completed(second)).data).toMatchObject({ text: 'in pt', seconds: 0 })
  const { reserved, done } = await desk.finish(german)
  expect([reserved.seconds, done.seconds, done.text]).toEqual([0, 0, 'in de'])
})

test('when the first is deleted, then the next is charged, unless another has its text', async () => {
  const first = await heard()
  await remove(first.id)
  const german = await heard('de')
  expect(german).toMatchObject({ reserved: 2, charged: 2 })
  expect(await heard('fr')).toMatchObject({ reserved: 0, charged: 0, text: 'in fr' })
})

test('when the first is deleted while the other is heard again, then that stays free', async () => {
  const first = await heard()
  const id = await receive('de')
  await desk.normalised(id)
  await remove(first.id)
  const { done } = await desk.finish(id)
  expect([done.seconds, done.text]).toEqual([0, 'in de'])
})

test('when nothing was heard in the first, then the next is charged, and those after it are free', async () => {
  expect(await heard('sv')).toMatchObject({ charged: 0, text: '' })
  expect(await heard('de')).toMatchObject({ reserved: 2, charged: 2, text: 'in de' })
  expect(await heard('fr')).toMatchObject({ reserved: 0, charged: 0, text: 'in fr' })
  expect(await given('de')).toBe('in de')
})

test('when it comes several times at once in another language, then it is heard once', async () => {
  await heard()
  const ids = await Promise.all([receive('de'), receive('de'), receive('de')])
  const asked = () =>
    desk.bus.sent('MediaNormalised').filter(({ data }) => ids.includes(data.transcriptionId))
  const one = await eventually(() => asked()[0])
  await desk.reserve(one.data.transcriptionId)
  for (const id of ids) expect((await desk.completed(id)).data).toMatchObject({ text: 'in de', seconds: 0 })
  expect(fake.received).toHaveLength(2)
})

test('when it was heard again five times in a day, then the next fails and says why, free', async () => {
  const { userId } = sound as { userId: string }
  const { id } = await heard()
  expect((await desk.refresh(id, userId)).status).toBe(200)
  await desk.finish(id, 2)
  for (const language of ['de', 'es', 'fr', 'it']) await heard(language)
  expect((await desk.refresh(id, userId)).status).toBe(429)
  const seventh = await receive('nl')
  expect((await desk.failed(seventh)).data).toMatchObject({
    reason: { code: 'too_many_repeats' },
    seconds: 0,
  })
  expect(await find(seventh)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Please try again tomorrow.'),
  })
  expect(await given('es')).toBe('in es')
  // On another day it is recognized, and is still free.
  expect((await desk.refresh(seventh, userId)).status).toBe(200)
  const again = await desk.normalised(seventh, 2)
  expect(again.data.seconds).toBe(0)
})
