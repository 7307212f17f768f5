import { readSettings } from '@voxscribe/service'
import { fakeSphinx, startOpenAiFake, temporaryFolder } from '@voxscribe/speech/testing'
import { checks, memoryFinding } from './checks.ts'
import { transcriptionSettings } from './settings.ts'

test('when engines are listed, then each is tried, and says what it gives and costs', async () => {
  const { command: SPHINX_COMMAND } = await fakeSphinx(await temporaryFolder())
  const up = await startOpenAiFake({ body: { text: 'x' } })
  const refusing = await startOpenAiFake({ status: 401, body: {} })
  const origin = ({ baseUrl }: typeof up) => new URL(baseUrl).origin
  const voxtral = { kind: 'mistral', key: 'k', model: 'voxtral-mini-2602' }
  const look = (...more: object[]) => {
    const ENGINES = JSON.stringify([
      { ...voxtral, name: 'voxtral', url: origin(up) },
      { name: 'offline', kind: 'sphinx' },
      ...more,
    ])
    const env = { MONGO_URL: 'mongodb://none', ENGINES, SPHINX_COMMAND }
    return checks(readSettings(transcriptionSettings, env))[0]!.look()
  }
  const said =
    /voxtral \(voxtral-mini-2602\) answers in [\d.]+ s: 13 languages, \$0.00300 a minute, times of sentences, speakers, own words; offline \(en-us\) answers in [\d.]+ s: en, free, times of words/
  expect(await look()).toEqual({ state: 'ok', saw: expect.stringMatching(said), next: null })
  const { state, saw } = await look(
    { ...voxtral, name: 'revoked', url: origin(refusing) },
    { name: 'here', kind: 'local', model: 'nowhere' },
  )
  expect([state, saw]).toEqual(['wrong', expect.stringMatching(said)])
  expect(saw).toMatch(/^here is not here; revoked \(voxtral-mini-2602\): engine_refused_us; /)
  await Promise.all([up.stop(), refusing.stop()])
})

test.each([
  ['lacks memory', 'whisper-base', -300, 'wrong', 'a worker with whisper-base lacks 300 MB of memory'],
  ['leaves little', 'whisper-base', 3_999, 'ok', ''],
  ['leaves 4 GB', 'whisper-base', 4_000, 'ok', '4 GB of memory are left, enough for parakeet-v3'],
  ['has the better model', 'parakeet-v3', 9_000, 'ok', ''],
])('when a model on this machine %s, then the doctor says so', (_what, model, left, state, saw) => {
  expect(memoryFinding([{ kind: 'local', model }], left)).toMatchObject({ state, saw })
  expect(memoryFinding([{ kind: 'openai', model }], left)).toMatchObject({ state: 'ok', saw: '' })
})
