import { deskWithSphinx } from '../testing.ts'

const { desk, note: path } = await deskWithSphinx()

test('when there is no text model, then nothing is made, and calls are 409', async () => {
  const { id } = await desk.complete(path, { gists: 'all' })
  const { status, body } = await desk.call('POST', `/transcriptions/${id}/gist`)
  expect([status, body.code]).toEqual([409, 'text_model_off'])
  expect(await desk.noteOf(id)).toMatchObject({ status: 'completed', gist: null })
  const speech = await (await desk.fetch('/internal/speech')).json()
  expect(speech.data.textModel).toBe(false)
})
