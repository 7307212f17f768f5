import { join } from 'node:path'
import { fakeSphinx, startOpenAiFake, temporaryFolder, tone } from '@voxscribe/speech/testing'
import { startDesk } from '../testing.ts'
import { engineMetrics } from './engine-metrics.ts'

const TEXT = { body: { text: 'Hello there.' } }
/** Less than two seconds of audio cost. */
const NEARLY_NOTHING = '0.000001'

async function withBudget(env: Record<string, string>) {
  const folder = await temporaryFolder()
  const fake = await startOpenAiFake(TEXT)
  const { command: SPHINX_COMMAND } = await fakeSphinx(folder)
  const settings = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: fake.baseUrl, SPHINX_COMMAND }
  const desk = await startDesk({ ...settings, MODEL_BUDGET: NEARLY_NOTHING, ...env })
  const day = new Date().toISOString().slice(0, 10)
  await desk.stored('model_costs').insertOne({ _id: day, microDollars: 1 } as never)
  const note = await tone(join(folder, 'note.wav'), 2)
  return { fake, desk, note, stop: () => Promise.all([desk.stop(), fake.stop()]) }
}

test('when the budget is used up, then the next engine serves, and the record says why', async () => {
  const { fake, desk, note, stop } = await withBudget({ SPEECH_ENGINE: 'auto', MODEL_DIR: '/nowhere' })
  const { id } = await desk.complete(note)
  const { engine, passedOver } = await desk.noteOf(id)
  expect(engine.name).toBe('sphinx')
  expect(passedOver[0]).toEqual({ name: 'openai', reason: 'engine_budget_used' })
  expect(fake.received).toEqual([])
  await stop()
})

test('when fifty notes come at the edge of the budget, then each is paid once or heard free', async () => {
  // Two seconds each, at $0.0045 per minute.
  const [notes, paidFor, atOnce] = [50, 10, 4]
  const { fake, desk, note, stop } = await withBudget({
    SPEECH_ENGINE: 'auto',
    MODEL_DIR: '/nowhere',
    MODEL_BUDGET: String((paidFor * 2 * 0.0045) / 60),
    TRANSCRIPTION_CONCURRENCY: String(atOnce),
    TRANSCRIPTION_SHORT_CONCURRENCY: String(atOnce),
  })
  const done = await Promise.all(Array.from({ length: notes }, () => desk.complete(note)))
  const heard = await Promise.all(done.map(async ({ id }) => (await desk.noteOf(id)).engine.name))
  const paid = heard.filter(name => name === 'openai').length
  expect(heard.filter(name => name === 'sphinx')).toHaveLength(notes - paid)
  expect(fake.received).toHaveLength(paid)
  // Calls that were running when the budget was spent are paid, too.
  expect(paid).toBeGreaterThanOrEqual(paidFor - 1)
  expect(paid).toBeLessThanOrEqual(paidFor + atOnce)
  await stop()
})

test('when only a paid engine may serve, then the note fails with the reason, free of charge', async () => {
  const { fake, desk, note, stop } = await withBudget({ SPEECH_ENGINE: 'openai' })
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  const failed = await desk.failed(data.mediaId)
  expect(failed.data).toMatchObject({ reason: { code: 'engine_budget_used' }, seconds: 0 })
  expect(fake.received).toEqual([])
  await stop()
})

test.each([
  ['whisper-1', {}, [Date.parse('2027-02-26') / 1000]],
  ['gpt-transcribe', {}, []],
  ['whisper-1', { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, []],
])('when the service starts with %s and %j, then the metrics tell its end', async (model, more, ends) => {
  engineMetrics.modelEnds.reset()
  const desk = await startDesk({
    SPEECH_ENGINE: 'openai',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_MODEL: model,
    ...more,
  })
  expect((await engineMetrics.modelEnds.get()).values.map(({ value }) => value)).toEqual(ends)
  await desk.stop()
})
