import { AccountErased } from '@voxscribe/contracts/events'
import { startOpenAiFake } from '@voxscribe/speech/testing'
import { deskWithSphinx, startDesk } from '../testing.ts'

const { desk, sphinx, note: path } = await deskWithSphinx()
const replace = (body: unknown, userId = 'u1') => desk.call('PUT', '/users/words', userId, { body })
const none = { words: [], replacements: [] }
async function own(userId = 'u1') {
  const { engine: _, ...kept } = (await desk.call('GET', '/users/words', userId)).body.data
  return kept
}

test('when words are set, then they are this person’s alone, and go with the account', async () => {
  expect(await own()).toEqual(none)
  const mine = { words: ['Nora', 'e\u0301te\u0301', '東京 🎉'], replacements: [{ heard: ' a ', write: 'b' }] }
  const kept = { words: ['Nora', 'été', '東京 🎉'], replacements: [{ heard: 'a', write: 'b' }] }
  expect((await replace(mine, 'leaving')).body.data).toMatchObject(kept)
  expect(await own('leaving')).toEqual(kept)
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

test('when an engine takes no words, then the page learns which one it is', async () => {
  const { body } = await desk.call('GET', '/users/words')
  expect(body.data).toMatchObject({ engine: { name: 'sphinx', takes: null } })
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
    expect(await here.shown()).toMatchObject({ engine: { name: 'openai', model, takes } })
    await here.stop()
  })

  test('when it refuses a word, then the note is heard without that one', async () => {
    const here = await deskOn('gpt-transcribe', REFUSED, HEARD)
    await here.save(['Nora', 'Kraków'])
    expect((await hear(here)).done.text).toBe('Call Nora now.')
    expect(here.fake.received.map(({ form }) => form.getAll('keywords[]'))).toEqual([
      ['Nora', 'Kraków'],
      ['Nora'],
    ])
    await here.stop()
  })
})
