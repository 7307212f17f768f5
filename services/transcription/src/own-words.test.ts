import { AccountErased } from '@voxscribe/contracts/events'
import { deskWithSphinx } from './testing.ts'

const { desk, sphinx, note: path } = await deskWithSphinx()
const replace = (body: unknown, userId = 'u1') => desk.call('PUT', '/users/words', userId, { body })
const own = async (userId = 'u1') => (await desk.call('GET', '/users/words', userId)).body.data

test('when words are set, then they are this person’s alone, and go with the account', async () => {
  expect(await own()).toEqual({ words: [], replacements: [] })
  const mine = { words: ['Nora', 'e\u0301te\u0301', '東京 🎉'], replacements: [{ heard: ' a ', write: 'b' }] }
  const kept = { words: ['Nora', 'été', '東京 🎉'], replacements: [{ heard: 'a', write: 'b' }] }
  expect((await replace(mine, 'leaving')).body.data).toEqual(kept)
  expect(await own('leaving')).toEqual(kept)
  expect(await own()).toEqual({ words: [], replacements: [] })
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
