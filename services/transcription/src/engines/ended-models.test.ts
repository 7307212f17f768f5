import { join } from 'node:path'
import { modelEnded } from '../metrics.ts'
import { openAiError, startOpenAiFake } from '../testing/openai-fake.ts'
import { fakeSphinx, startDesk, temporaryFolder, tone } from '../testing.ts'

const folder = await temporaryFolder()
const note = await tone(join(folder, 'note.wav'), 2)
const other = await tone(join(folder, 'other.ogg'), 2)

/** OpenAI from 2027-02-26 on, of which only the models that it keeps answer. */
const theDayAfter = () =>
  startOpenAiFake(({ form }) =>
    /^(whisper-1|gpt-4o)/.test(String(form.get('model')))
      ? openAiError(404, 'model_not_found')
      : { body: { text: 'Good morning from the harbour.', languages: [{ code: 'en' }] } },
  )

async function deskOn(model: string, env: Record<string, string>) {
  const fake = await theDayAfter()
  const OPENAI = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: fake.baseUrl, OPENAI_MODEL: model }
  const desk = await startDesk({ MODEL_DIR: '/nowhere', ...OPENAI, ...env })
  const asked = () => fake.received.map(({ form }) => form.get('model'))
  return { desk, asked, stop: () => Promise.all([desk.stop(), fake.stop()]) }
}

describe.each([
  'whisper-1',
  'gpt-4o-transcribe',
  'gpt-4o-mini-transcribe',
  'gpt-4o-mini-transcribe-2025-12-15',
  'gpt-4o-transcribe-diarize',
])('when OpenAI has ended %s', model => {
  beforeEach(() => modelEnded.reset())
  const ended = async () => (await modelEnded.get()).values

  test('and OpenAI is named, then gpt-transcribe serves, and the ended one is asked once', async () => {
    const { desk, asked, stop } = await deskOn(model, { SPEECH_ENGINE: 'openai' })
    const { id } = await desk.complete(note)
    expect((await desk.noteOf(id)).engine).toMatchObject({ name: 'openai', model: 'gpt-transcribe' })
    const next = await desk.complete(other)
    expect(next.done.text).toBe('Good morning from the harbour.')
    expect((await desk.refresh(next.id, 'u1', { engine: 'openai' })).status).toBe(200)
    expect((await desk.finish(next.id, 2)).done.text).toBe('Good morning from the harbour.')
    const srt = await desk.fetch(`/api/transcriptions/${id}/export?format=srt`, 'u1')
    expect(await srt.text()).toMatch(/^1\n00:00:0\d,\d{3} --> [\s\S]+Good/)
    expect(asked().filter(name => name === model)).toHaveLength(1)
    expect(await ended()).toMatchObject([{ value: 1, labels: { model, setting: 'OPENAI_MODEL' } }])
    await stop()
  })

  test('then the next engine of the ladder serves, and gpt-transcribe what that one cannot', async () => {
    const { command: SPHINX_COMMAND } = await fakeSphinx(await temporaryFolder())
    const { desk, asked, stop } = await deskOn(model, { SPEECH_ENGINE: 'auto', SPHINX_COMMAND })
    for (const path of [note, other]) {
      const { id } = await desk.complete(path)
      expect((await desk.noteOf(id)).engine).toMatchObject({
        name: 'sphinx',
        instead: [{ name: 'openai' }, { name: 'local' }],
      })
    }
    expect(asked()).toEqual([model])
    const { id } = await desk.complete(note, { language: 'es' })
    expect((await desk.noteOf(id)).engine).toMatchObject({ name: 'openai', model: 'gpt-transcribe' })
    expect(asked().filter(name => name === model)).toHaveLength(1)
    await stop()
  })
})

test('when a server of one’s own lacks the model, then the note fails, and the next one asks again', async () => {
  const fake = await startOpenAiFake(openAiError(404, 'model_not_found'), { body: { text: 'There it is.' } })
  const env = {
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: fake.baseUrl,
    OPENAI_MODEL: 'Systran/faster-whisper',
  }
  const desk = await startDesk({ SPEECH_ENGINE: 'openai', ...env })
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  expect((await desk.failed(data.mediaId)).data).toMatchObject({ reason: { code: 'engine_refused_us' } })
  expect((await desk.complete(other)).done.text).toBe('There it is.')
  await Promise.all([desk.stop(), fake.stop()])
})
