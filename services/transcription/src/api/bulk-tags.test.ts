import { TAGS_MAX } from '@voxscribe/contracts/limits'
import { deskWithSphinx } from '../testing.ts'

const { desk, note } = await deskWithSphinx()
const userId = 'ada'
const tag = (ids: string[], ...tags: unknown[]) =>
  desk.call('POST', '/transcriptions/bulk', userId, { body: { ids, action: 'tag', tags } })
const tagsOf = async (id: string) => (await desk.noteOf(id, userId)).tags

test('when several notes are tagged, then each keeps its own tags, and those that can’t be are named', async () => {
  const [one, other] = [await desk.complete(note, { userId }), await desk.complete(note, { userId })]
  const foreign = await desk.complete(note, { userId: 'bob' })
  await tag([one.id], 'Work', 'later')
  const { status, body } = await tag([one.id, other.id, foreign.id, 'none'], 'work', '#Home')
  expect([status, body.message, body.data.done]).toEqual([200, '2 notes tagged.', [one.id, other.id]])
  expect(body.data.failed).toEqual(
    [foreign.id, 'none'].map(id => ({ id, message: 'There is no such transcription.' })),
  )
  expect([await tagsOf(one.id), await tagsOf(other.id)]).toEqual([
    ['Work', 'later', 'Home'],
    ['work', 'Home'],
  ])
  const { data } = (await desk.call('GET', '/transcriptions?tag=home', userId)).body
  expect(data.transcriptions).toHaveLength(2)
})

test('when as many calls as there may be tags come at once, then each tag stays, and one more is refused', async () => {
  const { id } = await desk.complete(note, { userId })
  const many = Array.from({ length: TAGS_MAX + 1 }, (_, at) => `t${at}`)
  const answers = await Promise.all(many.map(each => tag([id], each)))
  expect(answers.filter(({ body }) => body.data.done.length)).toHaveLength(TAGS_MAX)
  expect(new Set(await tagsOf(id)).size).toBe(TAGS_MAX)
})

test('when a note would have too many tags, then it keeps its own, and says why', async () => {
  const { id } = await desk.complete(note, { userId })
  const many = Array.from({ length: TAGS_MAX }, (_, at) => `t${at}`)
  expect((await tag([id], ...many)).body.data.done).toEqual([id])
  const { data } = (await tag([id], 'more')).body
  expect(data).toMatchObject({ done: [], failed: [{ id, message: expect.stringMatching(/tags/) }] })
  expect(await tagsOf(id)).toEqual(many)
})

test.each([[undefined], [[]], ['work'], [['two words']], [[7]]])(
  'when the tags are %j, then nothing is changed',
  async tags => {
    const { id } = await desk.complete(note, { userId })
    const body = { ids: [id], action: 'tag', tags }
    expect((await desk.call('POST', '/transcriptions/bulk', userId, { body })).status).toBe(400)
    expect(await tagsOf(id)).toEqual([])
  },
)
