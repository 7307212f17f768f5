import { rm } from 'node:fs/promises'
import { readSettings, SettingsError } from '@voxscribe/service'
import { silentLog } from '@voxscribe/service/testing'
import { createFfmpeg } from '../audio/ffmpeg.ts'
import { transcriptionSettings } from '../settings.ts'
import { fakeSphinx, temporaryFolder } from '../testing.ts'
import { createEngines } from './choice.ts'

let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const NOWHERE = {
  MONGO_URL: 'mongodb://x',
  SPHINX_COMMAND: '/nowhere/sphinx',
  WHISPER_COMMAND: '/nowhere/whisper',
}

function choose(env: Record<string, string>) {
  const settings = readSettings(transcriptionSettings, { ...NOWHERE, ...env })
  return createEngines({ settings, ffmpeg: createFfmpeg(settings), log: silentLog })
}

test('when several engines are there, then OpenAI comes before whisper and whisper before sphinx', async () => {
  const { command } = await fakeSphinx(folder)
  const all = { OPENAI_API_KEY: 'sk', WHISPER_MODEL: 'm', WHISPER_COMMAND: command, SPHINX_COMMAND: command }
  expect(choose(all).current()?.name).toBe('openai gpt-transcribe')
  expect(choose({ ...all, OPENAI_API_KEY: '' }).current()?.name).toBe('whisper.cpp')
  expect(choose({ SPHINX_COMMAND: command }).current()?.name).toBe('pocketsphinx')
  expect(choose({ ...all, SPEECH_ENGINE: 'sphinx' }).current()?.name).toBe('pocketsphinx')
})

test('when no engine is there, then it says how to get one', () => {
  const { current, missing } = choose({})
  expect(current()).toBeUndefined()
  for (const way of ['OPENAI_API_KEY', 'WHISPER_MODEL', 'pocketsphinx-en-us']) expect(missing).toContain(way)
})

test.each([
  [{ SPEECH_ENGINE: 'openai' }, 'OPENAI_API_KEY'],
  [{ SPEECH_ENGINE: 'whisper' }, 'WHISPER_MODEL'],
  [{ SPEECH_ENGINE: 'magic' }, 'SPEECH_ENGINE'],
  [{ FFMPEG_PATH: '/nowhere/ffmpeg' }, 'FFMPEG_PATH'],
  [{ NOTE_TIMEOUT: 'soon' }, 'NOTE_TIMEOUT'],
])('when the settings are %j, then the start stops and names %s', (env, name) => {
  expect(() => choose(env)).toThrow(SettingsError)
  expect(() => choose(env)).toThrow(name)
})
