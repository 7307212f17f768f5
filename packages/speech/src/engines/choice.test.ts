import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { silentLog } from '@voxscribe/service/testing'
import { createFfmpeg } from '../audio/ffmpeg.ts'
import { createNativePool } from '../local-model/pool.ts'
import { expectIn } from '../models/expected.ts'
import { modelsOf } from '../models/folder.ts'
import { modelNamed } from '../models/table.ts'
import type { SpeechSettings } from '../settings.ts'
import { fakeSphinx } from '../testing/fake-sphinx.ts'
import { folderOfTests } from '../testing/sound.ts'
import { createEngines } from './choice.ts'
import type { Engine } from './engine.ts'
import { workerMegabytesIn } from './list.ts'

const folder = folderOfTests()

const NOTHING: SpeechSettings = {
  SPEECH_ENGINE: 'auto',
  OPENAI_BASE_URL: 'https://api.openai.com/v1',
  OPENAI_MODEL: 'gpt-transcribe',
  SPHINX_COMMAND: '/nowhere/sphinx',
  SECOND_LISTENER: 'auto',
  SPEECH_TIMEOUT: 300_000,
  FFMPEG_TIMEOUT: 120_000,
  DATA_DIR: '/nowhere',
}

async function choose(chosen: Partial<SpeechSettings>) {
  const settings = { ...NOTHING, ...chosen }
  const pool = createNativePool(1)
  const models = modelsOf(settings)
  return createEngines({
    settings,
    models,
    pool,
    ffmpeg: createFfmpeg(settings),
    boundedFetch: () => fetch,
    log: silentLog,
  })
}

/** A folder with a model's files, whose content doesn't matter. */
async function modelFolder(name: string): Promise<string> {
  const models = join(folder, 'models')
  await mkdir(join(models, name), { recursive: true })
  for (const file of modelNamed(name)?.files ?? []) await writeFile(join(models, name, file.name), 'x')
  return models
}

const named = (engine: Engine | undefined) => engine && `${engine.name} ${engine.model}`

test('when there are several engines, then OpenAI is first, a local model second, sphinx last', async () => {
  const { command } = await fakeSphinx(folder)
  const MODEL_DIR = await modelFolder('whisper-tiny.en')
  const all = { OPENAI_API_KEY: 'sk', MODEL_DIR, SPHINX_COMMAND: command }
  expect(named((await choose(all)).current())).toBe('openai gpt-transcribe')
  expect(named((await choose({ ...all, OPENAI_API_KEY: '' })).current())).toBe('local whisper-tiny.en')
  expect(named((await choose({ SPHINX_COMMAND: command })).current())).toBe('sphinx en-us')
  expect(named((await choose({ ...all, SPEECH_ENGINE: 'sphinx' })).current())).toBe('sphinx en-us')
  expect((await choose({ ...all, SPEECH_ENGINE: 'sphinx' })).ladder()).toHaveLength(1)
})

test('when a model arrives while the service runs, then it serves from then on', async () => {
  const { current } = await choose({ MODEL_DIR: join(folder, 'models') })
  await modelFolder('whisper-base')
  expect(named(current())).toBe('local whisper-base')
})

test('when LOCAL_MODEL names a model or a folder, then that one serves, or none', async () => {
  const MODEL_DIR = await modelFolder('whisper-tiny.en')
  const model = (LOCAL_MODEL: string) => choose({ MODEL_DIR, LOCAL_MODEL }).then(({ current }) => current())
  expect((await model('whisper-tiny.en'))?.abilities.languages).toEqual(['en'])
  expect(named(await model(join(MODEL_DIR, 'whisper-tiny.en')))).toBe('local whisper-tiny.en')
  expect(await model('whisper-turbo')).toBeUndefined()
})

test('when several local models are listed, then a worker has the memory of the largest that is installed', async () => {
  await modelFolder('whisper-base')
  const MODEL_DIR = await modelFolder('parakeet-v3')
  const megabytes = (...listed: string[]) => {
    const ENGINES = listed.map(model => ({ name: model, kind: 'local', model }))
    const settings = { ...NOTHING, MODEL_DIR, ENGINES }
    return workerMegabytesIn(settings, modelsOf(settings))
  }
  expect(megabytes('parakeet-v3', 'whisper-base')).toBe(2_850)
  expect(megabytes('whisper-base', 'whisper-turbo')).toBe(800)
  expect(megabytes()).toBe(800)
})

test('when no engine is there, then it says how to get one', async () => {
  const { current, howToGet } = await choose({})
  expect(current()).toBeUndefined()
  for (const way of ['OPENAI_API_KEY', 'npm run model', 'pocketsphinx-en-us']) expect(howToGet).toContain(way)
})

test('when there is no engine, or the model of a language is being fetched, then its notes wait', async () => {
  const MODEL_DIR = join(folder, 'expecting')
  const none = await choose({ MODEL_DIR })
  expect([none.mustWait('en'), none.mustWait('auto')]).toEqual([true, true])
  const { command: SPHINX_COMMAND } = await fakeSphinx(folder)
  const { mustWait } = await choose({ MODEL_DIR, SPHINX_COMMAND })
  const ended = expectIn(MODEL_DIR, modelNamed('whisper-base')!)
  expect(['en', 'auto', 'de'].map(mustWait)).toEqual([false, false, true])
  ended()
  expect(mustWait('de')).toBe(false)
})
