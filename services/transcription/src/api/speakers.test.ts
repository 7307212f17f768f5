import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { temporaryFolder } from '@voxscribe/speech/testing'
import { deskWithSphinx } from '../testing.ts'

// A file that is not a model. It is not loaded until speakers are to be told apart.
const models = await temporaryFolder()
const SPEAKER_MODEL = join(models, 'voices.onnx')
await copyFile(import.meta.filename, SPEAKER_MODEL)
const { desk, sphinx, note } = await deskWithSphinx({ SPEAKER_MODEL })

const ask = (id: string, body?: unknown, userId = 'u1') =>
  desk.call('POST', `/transcriptions/${id}/speakers`, userId, { body })
const offers = async () => (await (await desk.fetch('/internal/speech')).json()).data.speakers

/** Assigns speakers: the two lines of a note have two voices. */
async function toldApart(names: (string | null)[] = [null, null]) {
  const { id } = await desk.complete(note)
  const line = (at: number) => ({
    id: `${at}`,
    from: at - 1,
    to: at,
    text: ['hello', 'world'][at - 1],
    confidence: 1,
  })
  const segments = [1, 2].map(at => ({ ...line(at), speaker: `${at}` }))
  const speakers = names.map((name, at) => ({ id: `${at + 1}`, name }))
  await desk.notes.updateOne({ _id: id }, { $set: { segments, speakers, isTwoSided: true } })
  return id
}
const ended = (id: string) =>
  eventually(async () => {
    const read = await desk.noteOf(id)
    return read.speakersProgress === null && read
  })

test.each([0, 7, -1, 1.5, '2', true, [2], '', 1e9])(
  'when the count is %j, then it is refused',
  async count => {
    const { id } = await desk.complete(note)
    const { status, body } = await ask(id, { count })
    expect([status, body.message]).toEqual([400, 'count must be a whole number from 1 to 6'])
  },
)

test('when the note is not theirs, is being transcribed, or is deleted, then nothing is told apart', async () => {
  const { id } = await desk.complete(note)
  expect((await ask(id, {}, 'u2')).status).toBe(404)
  await sphinx.hold()
  await desk.refresh(id)
  expect(await ask(id)).toMatchObject({ status: 409, body: { code: 'already_processing' } })
  await sphinx.release()
  await desk.finish(id, 2)
  await desk.remove(id)
  expect((await ask(id)).status).toBe(404)
})

test('when its audio is gone, then it says what to do', async () => {
  const { id, event } = await desk.complete(note)
  await desk.removeAudio(event)
  expect(await ask(id, { count: 2 })).toMatchObject({
    status: 409,
    body: { code: 'speakers_need_audio', message: expect.stringContaining('Please send it once more') },
  })
})

test('when a line is given to another voice and a voice is named, then every reader sees it', async () => {
  const id = await toldApart()
  const { body } = await desk.call('POST', `/transcriptions/${id}/share`, 'u1', { body: { days: 1 } })
  const name = '<v evil> --> مرحبا 👩‍👩‍👧'
  const edit = (change: object) => desk.call('PATCH', `/transcriptions/${id}`, 'u1', { body: change })
  const { version } = await desk.noteOf(id)
  await edit({ speakers: [{ id: '2', name }], segments: [{ id: '1', speaker: '2' }] })
  const shared = await (await desk.fetch(`/api/shared/${body.data.url.split('/s/')[1]}`)).json()
  const said = {
    speakers: [
      { id: '1', name: null },
      { id: '2', name },
    ],
    paragraphs: [{ speaker: '2' }],
  }
  expect(shared.data).toMatchObject(said)
  expect(await desk.noteOf(id)).toMatchObject({ ...said, text: 'hello world', version: version + 1 })
  const found = await desk.call('GET', `/transcriptions?search=${encodeURIComponent('مرحبا')}`)
  expect(found.body.data.transcriptions).toMatchObject([{ id }])
  for (const bad of [
    { id: '3', name: 'x' },
    { id: '2', name: 'x'.repeat(201) },
    { id: '', name: 'x' },
  ])
    expect((await edit({ speakers: [bad] })).status).toBe(400)
  expect((await edit({ segments: [{ id: '1', speaker: '9' }] })).status).toBe(400)
})

test('when it is transcribed again, then its speakers are gone', async () => {
  const id = await toldApart(['Ada', null])
  await desk.refresh(id)
  await desk.finish(id, 2)
  expect(await desk.noteOf(id)).toMatchObject({ speakers: [], text: 'hello world' })
})

test('when its voices cannot be told apart, then it says so, the text stays, and it is no longer offered', async () => {
  expect(await offers()).toBe(true)
  const { id } = await desk.complete(note)
  const before = await desk.noteOf(id)
  expect((await ask(id, { count: 2 })).status).toBe(202)
  const { notices, ...after } = await ended(id)
  expect(notices.at(-1)).toMatchObject({ code: 'speakers_failed' })
  expect(after).toMatchObject({
    text: before.text,
    segments: before.segments,
    speakers: [],
    version: before.version,
  })
  expect(await offers()).toBe(false)
  expect(await ask(id)).toMatchObject({ status: 409, body: { code: 'no_speaker_model' } })
})

test('when the same note is asked about in a loop, then it ends, whatever comes of it', async () => {
  const id = await toldApart(['Ada', 'Bob'])
  const answers: number[] = []
  for (let tried = 0; tried < 12; tried++) {
    const { status, headers } = await ask(id, { count: 2 })
    answers.push(status)
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_600)
    else await ended(id)
  }
  expect(answers).toEqual([...Array(10).fill(202), 429, 429])
  expect(await desk.noteOf(id)).toMatchObject({
    text: 'hello world',
    speakers: [{ name: 'Ada' }, { name: 'Bob' }],
  })
})
