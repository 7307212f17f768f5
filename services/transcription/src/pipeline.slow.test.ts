import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { fetchModel } from './models/fetch.ts'
import { openModels } from './models/folder.ts'
import { DEFAULT } from './models/table.ts'
import { onPath } from './on-path.ts'
import { startHub } from './testing/model-hub.ts'
import { librivox, MODELS, withRealSpeech } from './testing/recordings.ts'
import { type Desk, fakeSphinx, ffmpeg, startDesk, temporaryFolder, tone } from './testing.ts'

const LIBRIVOX = '/usr/share/pocketsphinx/test/data/librivox'
const isInstalled = onPath('pocketsphinx_continuous') !== undefined
if (!isInstalled && process.env.CI === 'true') throw new Error('pocketsphinx is needed where CI=true')
const spoken = isInstalled ? describe : describe.skip

spoken('real speech, recognised by pocketsphinx (skipped where it is not installed)', () => {
  let folder: string
  let desk: Desk

  beforeAll(async () => {
    folder = await temporaryFolder()
    desk = await startDesk({ SPEECH_ENGINE: 'sphinx' })
  })
  afterAll(async () => {
    await desk.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('when a voice note of 24 s comes in, then at least 60 % of its words are in the text', async () => {
    const ogg = await recorded(folder)
    const { data } = await desk.receive(ogg)
    const { data: reserved } = await desk.reserve(data.mediaId)
    const { data: done } = await desk.completed(data.mediaId, 1, 100_000)
    const heard = new Set(done.text.split(' '))
    const said = transcript()
    const share = said.filter(word => heard.has(word)).length / said.length
    expect(share).toBeGreaterThanOrEqual(0.6)
    expect(reserved.seconds).toBeCloseTo(24.73, 1)
    expect(done).toMatchObject({ seconds: reserved.seconds, language: 'en', engine: 'sphinx en-us' })
    const { body } = await desk.call('GET', '/transcriptions')
    expect(body.data.transcriptions[0].confidenceScore).toBeGreaterThan(0.3)
  })
})

const transcript = () =>
  readFileSync(join(LIBRIVOX, 'transcription'), 'utf8')
    .replace(/<\/?s>|\(.*\)/g, '')
    .split(/\s+/)
    .filter(Boolean)

async function recorded(folder: string): Promise<string> {
  const parts = ['0870', '0880', '0890', '0920', '0930'].flatMap(part => [
    '-i',
    join(LIBRIVOX, `sense_and_sensibility_01_austen_64kb-${part}.wav`),
  ])
  const path = join(folder, 'voice.ogg')
  await ffmpeg(...parts, '-filter_complex', 'concat=n=5:v=0:a=1', '-c:a', 'libopus', '-b:a', '24k', path)
  return path
}

withRealSpeech('real speech, recognised by a model on this machine', () => {
  let folder: string
  let desk: Desk

  beforeAll(async () => {
    folder = await temporaryFolder()
    desk = await startDesk({ MODEL_DIR: MODELS, SPHINX_COMMAND: '/nowhere/sphinx' })
  })
  afterAll(async () => {
    await desk.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('when a voice note of 24 s comes, then nine of ten words are right, with times', async () => {
    const { data } = await desk.receive(await recorded(folder))
    await desk.reserve(data.mediaId)
    const { data: done } = await desk.completed(data.mediaId, 1, 100_000)
    const heard = new Set(done.text.toLowerCase().match(/[a-z']+/g))
    const said = librivox().flatMap(({ words }) => words)
    expect(said.filter(word => heard.has(word)).length / said.length).toBeGreaterThanOrEqual(0.9)
    expect(done).toMatchObject({ engine: 'local whisper-tiny.en', language: 'en' })
  })

  test('when nobody speaks, however loud it is, then no engine is asked and nothing charged', async () => {
    const { data } = await desk.receive(await tone(join(folder, 'tone.wav'), 6))
    const { data: reserved } = await desk.reserve(data.mediaId)
    expect(reserved.seconds).toBe(0)
    const { data: done } = await desk.completed(data.mediaId)
    expect(done).toMatchObject({ text: '', seconds: 0, engine: 'none', notices: [{ code: 'no_speech' }] })
  })

  test('when no model here knows the transcript language, then the note fails and says so', async () => {
    const { data } = await desk.receive(await recorded(folder), { language: 'de' })
    await desk.reserve(data.mediaId)
    expect((await desk.failed(data.mediaId)).data.reason.code).toBe('language_not_supported')
  })
})

withRealSpeech('a model for many languages that arrives while notes wait', () => {
  test('when a note is in one of them, then it waits and is recognised once the model is there', async () => {
    const folder = await temporaryFolder()
    const { command: SPHINX_COMMAND } = await fakeSphinx(folder)
    const MODEL_DIR = join(folder, 'models')
    const desk = await startDesk({ MODEL_DIR, SPHINX_COMMAND, ENGINE_CHECK_EVERY: '50ms' })
    const { promise: held, resolve: send } = Promise.withResolvers<void>()
    const contentOf = (url: string) =>
      readFileSync(join(MODELS, 'whisper-tiny.en', url.split('/base-').at(-1) ?? ''))
    const hub = await startHub({ contentOf, held })
    const out = { isTTY: false, write: () => true }
    const fetching = { models: openModels({ folder: MODEL_DIR }), source: hub.source, out }
    const fetched = fetchModel(DEFAULT, { ...fetching, signal: new AbortController().signal })
    await eventually(() => openModels({ folder: MODEL_DIR }).expected())
    const note = await recorded(folder)
    const { data } = await desk.receive(note, { language: 'de' })
    const shown = async () => (await desk.call('GET', `/transcriptions/${data.mediaId}`)).body.data
    await eventually(async () =>
      (await shown()).transcription?.notice?.startsWith('Waiting for a speech engine'),
    )
    send()
    await fetched
    await desk.reserve(data.mediaId)
    const { data: done } = await desk.completed(data.mediaId, 1, 100_000)
    expect(done).toMatchObject({ engine: 'local whisper-base', text: expect.stringContaining('Dashwood') })
    await desk.stop()
    await hub.stop()
    await rm(folder, { recursive: true, force: true })
  })
})
