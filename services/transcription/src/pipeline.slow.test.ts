import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Segment } from '@voxscribe/contracts/http'
import { eventually } from '@voxscribe/service/testing'
import { onPath } from '@voxscribe/speech'
import { ffmpeg, librivox, MODELS, startOpenAiFake, withRealSpeech } from '@voxscribe/speech/testing'
import { deskFor } from './testing.ts'

const LIBRIVOX = '/usr/share/pocketsphinx/test/data/librivox'
const isInstalled = onPath('pocketsphinx_continuous') !== undefined
if (!isInstalled && process.env.CI === 'true') throw new Error('pocketsphinx is needed where CI=true')
const spoken = isInstalled ? describe : describe.skip

spoken('real speech, recognised by pocketsphinx (skipped where it is not installed)', () => {
  const here = deskFor(() => ({ SPEECH_ENGINE: 'sphinx' }))

  test('when a voice note of 24 s comes in, then at least 60 % of its words are in the text', async () => {
    const ogg = await recorded(here.folder)
    const { id, reserved, done } = await here.desk.complete(ogg)
    const heard = new Set(done.text.split(' '))
    const said = transcript()
    const share = said.filter(word => heard.has(word)).length / said.length
    expect(share).toBeGreaterThanOrEqual(0.6)
    expect(reserved.seconds).toBeCloseTo(24.73, 1)
    expect(done).toMatchObject({ seconds: reserved.seconds, language: 'en', engine: 'sphinx en-us' })
    expect((await here.desk.noteOf(id)).confidenceScore).toBeGreaterThan(0.3)
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
  const here = deskFor(() => ({ MODEL_DIR: MODELS, SPHINX_COMMAND: '/nowhere/sphinx' }))

  test('when a voice note of 24 s comes, then nine of ten words are right, with times', async () => {
    const { done } = await here.desk.complete(await recorded(here.folder))
    const heard = new Set(done.text.toLowerCase().match(/[a-z']+/g))
    const said = librivox().flatMap(({ words }) => words)
    expect(said.filter(word => heard.has(word)).length / said.length).toBeGreaterThanOrEqual(0.9)
    expect(done).toMatchObject({ engine: 'local whisper-tiny.en', language: 'en' })
  })
})

withRealSpeech('a second hearing by a model on this machine', () => {
  const said = librivox().flatMap(({ words }) => words)
  const text = said.join(' ').replace('leisure', 'pleasure')
  let openAi: Awaited<ReturnType<typeof startOpenAiFake>>
  beforeAll(async () => {
    openAi = await startOpenAiFake({ body: { text } })
  })
  afterAll(() => openAi.stop())
  const here = deskFor(() => ({
    OPENAI_API_KEY: 'sk',
    OPENAI_BASE_URL: openAi.baseUrl,
    MODEL_DIR: MODELS,
    TRANSCRIPTION_CONCURRENCY: '2',
  }))

  test('when an engine gives no times, then words get theirs and doubts are marked; the text stays', async () => {
    const { id, done } = await here.desk.complete(await recorded(here.folder))
    const note = await eventually(async () => {
      const read = await here.desk.noteOf(id)
      return read.timesExact && read
    })
    const words = (note.segments as Segment[]).flatMap(({ words = [] }) => words)
    expect([note.text, note.version, done.text]).toEqual([text, 2, text])
    expect(words.map(word => word.text).join(' ')).toBe(text)
    expect(words.filter(({ confidence }) => confidence === 0).map(word => word.text)).toContain('pleasure')
    expect(words.at(-1)?.to).toBeGreaterThan(22)
    expect(note.confidenceScore).toBeGreaterThan(0.9)
  })
})
