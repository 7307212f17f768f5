import { AccountErased } from '@voxscribe/contracts/events'
import { openAiError, startOpenAiFake } from '../testing/openai-fake.ts'
import { deskWithSphinx, startDesk } from '../testing.ts'

const { desk, sphinx, note: path } = await deskWithSphinx()
const replace = (body: unknown, userId = 'u1') => desk.call('PUT', '/users/words', userId, { body })
const none = { words: [], replacements: [], declined: [] }
async function own(userId = 'u1') {
  const { engine: _, refused: _none, ...kept } = (await desk.call('GET', '/users/words', userId)).body.data
  return kept
}

test('when words are set, then they are this person’s alone, and go with the account', async () => {
  expect(await own()).toEqual(none)
  const mine = { words: ['Nora', 'e\u0301te\u0301', '東京 🎉'], replacements: [{ heard: ' a ', write: 'b' }] }
  const kept = { words: ['Nora', 'été', '東京 🎉'], replacements: [{ heard: 'a', write: 'b' }] }
  expect((await replace(mine, 'leaving')).body.data).toMatchObject(kept)
  expect(await own('leaving')).toEqual({ ...kept, declined: [] })
  expect(await own()).toEqual(none)
  const person = { phone: null, email: 'ada@example.com', firstName: 'Ada', uiLanguage: 'en' } as const
  await desk.bus.publish(AccountErased.create({ userId: 'leaving', ...person }))
  expect(await desk.stored('own_words').findOne({ _id: 'leaving' })).toBeNull()
})

test.each([
  [{ words: ['a<b'], replacements: [] }, 'words.0'],
  [{ words: ['ok', 'two\nlines'], replacements: [] }, 'words.1'],
  [{ words: [' '], replacements: [] }, 'words.0'],
  [{ words: ['x'.repeat(61)], replacements: [] }, 'words.0'],
  [{ words: Array(101).fill('x'), replacements: [] }, 'words'],
  [{ words: [], replacements: [{ heard: '', write: 'x' }] }, 'replacements.0.heard'],
  [{ words: [], replacements: [{ heard: 'x', write: '>' }] }, 'replacements.0.write'],
  [{ words: [], replacements: Array(101).fill({ heard: 'x', write: 'y' }) }, 'replacements'],
  [{ words: 'Nora' }, 'words'],
])('when %j is sent, then it is refused with the field', async (body, field) => {
  const answer = await replace(body)
  expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
})

test('when a replacement fits, then the text has it everywhere, and one call brings the engine’s back', async () => {
  await replace({ words: [], replacements: [{ heard: 'hello', write: 'Nora' }] })
  const { id, done } = await desk.complete(path)
  expect(done.text).toBe('Nora world')
  const note = await desk.noteOf(id)
  expect(note).toMatchObject({ text: 'Nora world', edited: true, original: { text: 'hello world' } })
  expect(note.segments[0].words).toMatchObject([
    { text: 'Nora', from: 0, to: 1 },
    { text: 'world', from: 1, to: 2 },
  ])
  const { body } = await desk.call('GET', '/transcriptions?search=nora')
  expect(body.data.transcriptions).toMatchObject([{ id }])
  const restored = await desk.call('PATCH', `/transcriptions/${id}`, 'u1', { body: { restore: true } })
  expect(restored.body.data.transcription).toMatchObject({ text: 'hello world', edited: false })
  await sphinx.says('nothing', 'here')
  await desk.refresh(id)
  await desk.finish(id, 2)
  expect(await desk.noteOf(id)).toMatchObject({ text: 'nothing here', edited: false, original: null })
})

describe('a correction that is made again', () => {
  const pair = { heard: 'norah', write: 'Nora' }
  let userId = ''
  beforeEach(async () => {
    userId = crypto.randomUUID()
    await sphinx.says('call', 'norah', 'now')
  })
  const complete = async () => (await desk.complete(path, { userId })).id
  async function correct(id: string, body: object) {
    const { segments } = await desk.noteOf(id, userId)
    const change = 'text' in body ? { segments: [{ id: segments[0].id, ...body }] } : body
    const { body: answer } = await desk.call('PATCH', `/transcriptions/${id}`, userId, { body: change })
    return answer.data.transcription.suggestion
  }
  const suggestionOf = async (id: string) => (await desk.noteOf(id, userId)).suggestion
  const right = { text: 'Call Nora, now!' }

  test('when it is on two notes of a person, then it is suggested on both until it is a replacement', async () => {
    const [first, second] = [await complete(), await complete()]
    expect(await correct(first, right)).toBeNull()
    expect(await correct(first, right)).toBeNull()
    expect(await correct(second, { text: 'call Nor now' })).toBeNull()
    expect(await correct(second, { text: 'call Nora please' })).toBeNull()
    expect(await correct(second, right)).toEqual(pair)
    expect(await suggestionOf(first)).toEqual(pair)
    const stranger = await desk.complete(path, { userId: 'stranger' })
    expect((await desk.noteOf(stranger.id, 'stranger')).suggestion).toBeNull()
    await replace({ words: [], replacements: [{ heard: 'norah', write: 'Norah' }] }, userId)
    expect(await suggestionOf(second)).toBeNull()
    const full = Array.from({ length: 100 }, (_, at) => ({ heard: `x${at}`, write: 'y' }))
    await replace({ words: [], replacements: full }, userId)
    expect(await suggestionOf(second)).toBeNull()
  })

  test('when it was declined, then it stays so, also when the words are saved without that', async () => {
    const [first, second] = [await complete(), await complete()]
    await correct(first, right)
    await replace({ words: [], replacements: [], declined: [pair] }, userId)
    await replace({ words: ['Nora'], replacements: [] }, userId)
    expect(await correct(second, right)).toBeNull()
    expect(await own(userId)).toEqual({ words: ['Nora'], replacements: [], declined: [pair] })
  })

  test.each(['undone', 'restored', 'deleted', 'heard again'])(
    'when the first one is %s, then it counts no more',
    async way => {
      const [first, second] = [await complete(), await complete()]
      await correct(first, right)
      if (way === 'undone') await correct(first, { text: 'call norah now' })
      if (way === 'restored') await correct(first, { restore: true })
      if (way === 'deleted') await desk.remove(first, userId)
      if (way === 'heard again') {
        await desk.refresh(first, userId)
        await desk.finish(first, 2)
      }
      expect(await correct(second, right)).toBeNull()
    },
  )
})

test('when an engine takes no words, then the page learns which one it is', async () => {
  const { body } = await desk.call('GET', '/users/words')
  expect(body.data).toMatchObject({ engine: { name: 'sphinx', takes: null }, refused: [] })
})

describe('with an engine that takes words', () => {
  const REFUSED = {
    status: 400,
    body: { error: { message: 'No Kraków', type: 'invalid_request_error', param: 'keywords', code: null } },
  }
  const HEARD = { body: { text: 'Call Nora now.' } }
  async function deskOn(model: string, ...answers: Parameters<typeof startOpenAiFake>) {
    const fake = await startOpenAiFake(...answers)
    const OPENAI = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: fake.baseUrl, OPENAI_MODEL: model }
    const other = await startDesk({ SPEECH_ENGINE: 'openai', ...OPENAI })
    const shown = async () => (await other.call('GET', '/users/words', 'u1')).body.data
    const save = (words: string[]) =>
      other.call('PUT', '/users/words', 'u1', { body: { words, replacements: [] } })
    return { fake, other, shown, save, stop: () => Promise.all([other.stop(), fake.stop()]) }
  }
  const hear = async ({ other }: Awaited<ReturnType<typeof deskOn>>) => other.complete(path)

  test.each([
    ['gpt-transcribe', 'keywords'],
    ['whisper-1', 'prompt'],
    ['gpt-4o-transcribe-diarize', null],
  ])('when it is %s, then the person sees that it takes them as %s', async (model, takes) => {
    const here = await deskOn(model, HEARD)
    expect(await here.shown()).toMatchObject({ engine: { name: 'openai', model, takes }, refused: [] })
    await here.stop()
  })

  test('when it refuses a word, then the person sees which one until it is taken or removed', async () => {
    const here = await deskOn('gpt-transcribe', REFUSED, HEARD, HEARD, REFUSED, HEARD)
    await here.save(['Nora', 'Kraków'])
    expect((await hear(here)).done.text).toBe('Call Nora now.')
    expect(await here.shown()).toMatchObject({ words: ['Nora', 'Kraków'], refused: ['Kraków'] })
    await hear(here)
    expect(await here.shown()).toMatchObject({ refused: [] })
    await hear(here)
    expect(await here.shown()).toMatchObject({ refused: ['Kraków'] })
    expect((await here.save(['Nora'])).body.data).toMatchObject({ words: ['Nora'], refused: [] })
    await here.stop()
  })

  test('when it refuses the sound, then no word is blamed', async () => {
    const here = await deskOn('gpt-transcribe', openAiError(400, null))
    await here.save(['Nora'])
    const { data } = await here.other.receive(path)
    await here.other.reserve(data.mediaId)
    await here.other.failed(data.mediaId)
    expect(await here.shown()).toMatchObject({ refused: [] })
    await here.stop()
  })
})
