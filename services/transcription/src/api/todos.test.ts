import type { Todo } from '@voxscribe/contracts/http'
import { deskWithTextModel, type Note, says } from '../testing/text-model-fake.ts'

const { fake, desk, complete } = await deskWithTextModel()

const task = (text: string, due: string | null = null) => ({ text, due })
const gistOf = (...tasks: object[]) => says({ lines: ['Milk is needed.'], tasks })
const summarise = ({ id, userId }: Note, language = 'en') =>
  desk.call('POST', `/transcriptions/${id}/gist`, userId, { headers: { 'accept-language': language } })
const list = async (userId: string, query = '') =>
  (await desk.call('GET', `/todos${query}`, userId)).body.data.todos
const tick = ({ id, userId }: Note, n: number | string, done = true) =>
  desk.call('PATCH', `/todos/${id}/${n}`, userId, { body: { done } })
const texts = (todos: { text: string }[]) => todos.map(({ text }) => text)

async function summarised(userId: string, ...tasks: object[]): Promise<Note> {
  fake.answers(gistOf(...tasks))
  const note = { ...(await complete({ userId })), userId }
  expect((await summarise(note)).status).toBe(200)
  return note
}

test('when notes have to-dos, then the open ones are listed by day, then by the newest note', async () => {
  const older = await summarised('ada', task('Buy milk'), task('Call Nora', '2026-12-02'))
  const newer = await summarised('ada', task('Write Bob'), task('Pay rent', '2026-12-01'))
  const todos = await list('ada')
  expect(texts(todos)).toEqual(['Pay rent', 'Call Nora', 'Write Bob', 'Buy milk'])
  expect(todos[1]).toEqual({
    ...{ transcriptionId: older.id, n: 2, text: 'Call Nora', due: '2026-12-02', done: false },
    ...{ title: 'note.ogg', createdAt: expect.stringMatching(/^2.*Z$/) },
  })
  expect(todos[2]).toMatchObject({ transcriptionId: newer.id, n: 1 })
})

test('when one is ticked, then only `done=all` lists it, the note shows it, and it can be opened again', async () => {
  const note = await summarised('bob', task('Buy milk'), task('Call Nora'))
  const { status, body } = await tick(note, 2)
  expect([status, body.data.todo]).toEqual([
    200,
    expect.objectContaining({ transcriptionId: note.id, n: 2, text: 'Call Nora', done: true }),
  ])
  expect(texts(await list('bob'))).toEqual(['Buy milk'])
  expect(texts(await list('bob', '?done=all'))).toEqual(['Buy milk', 'Call Nora'])
  expect((await desk.noteOf(note.id, note.userId)).gist.tasks.map((one: Todo) => one.done)).toEqual([
    false,
    true,
  ])
  expect((await tick(note, 2, false)).body.data.todo.done).toBe(false)
  expect(texts(await list('bob'))).toEqual(['Buy milk', 'Call Nora'])
})

test('when a new gist has a to-do with the same text, then that stays done, also if ticked meanwhile', async () => {
  const note = await summarised('cleo', task('Buy milk'), task('Call Nora'))
  await tick(note, 1)
  fake.answers(async () => {
    await tick(note, 2)
    return gistOf(task('Write Bob'), task('Buy milk'), task('Call Nora'))
  })
  await summarise(note, 'es')
  expect(texts(await list('cleo'))).toEqual(['Write Bob'])
})

test('when a note is deleted, then its to-dos go with it', async () => {
  const note = await summarised('dan', task('Buy milk'))
  await desk.call('DELETE', `/transcriptions/${note.id}`, note.userId)
  expect([await list('dan', '?done=all'), (await tick(note, 1)).status]).toEqual([[], 404])
})

test('when there is no such to-do, the note is another’s or the body is wrong, then it is refused', async () => {
  const note = await summarised('eve', task('Buy milk'))
  for (const n of [0, 2, -1, '1.0', '01', '1e0', 'x', 'text', '99999999999999999999'])
    expect([n, (await tick(note, n)).status]).toEqual([n, 404])
  expect((await tick({ ...note, userId: 'another' }, 1)).status).toBe(404)
  expect((await tick({ ...note, id: 'none' }, 1)).body).toMatchObject({ message: 'There is no such to-do.' })
  for (const body of [{}, { done: null }, { done: 1 }, { done: 'true' }, { done: [] }])
    expect((await desk.call('PATCH', `/todos/${note.id}/1`, 'eve', { body })).status).toBe(400)
  expect((await desk.call('GET', '/todos?done=some', 'eve')).status).toBe(400)
  expect(await list('another')).toEqual([])
  expect(await list('eve')).toMatchObject([{ n: 1, done: false }])
})
