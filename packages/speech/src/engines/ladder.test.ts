import { reason } from '@voxscribe/contracts/reasons'
import { EngineGone, NotNow, Unworkable } from '../errors.ts'
import type { Listed } from './choice.ts'
import { firstThatServes } from './choice.ts'
import type { Engine } from './engine.ts'
import { SPHINX } from './sphinx.ts'

const engine = (name: Engine['name'], languages: 'all' | string[] = 'all'): Engine => ({
  name,
  kind: name,
  model: 'm',
  abilities: { ...SPHINX, languages },
  recognise: () => Promise.reject(new Error('not called here')),
})
const openai = engine('openai')
const local = engine('local')
const sphinx = engine('sphinx', ['en'])

/** Runs a ladder whose engines fail as given; the others serve. */
const climb = (
  ladder: Listed[],
  failures: Partial<Record<Engine['name'], Error>> = {},
  language = 'auto',
  deaf: string[] = [],
) =>
  firstThatServes(ladder, language, async ({ name }, instead) => {
    const failure = failures[name]
    if (failure) throw failure
    return { name, instead, text: deaf.includes(name) ? '' : 'hello' }
  })

test('when the best engine is there, then it serves and no other is skipped', async () => {
  expect(await climb([openai, local, sphinx])).toMatchObject({ name: 'openai', instead: [] })
})

test.each([
  ['refuses our key', reason('engine_refused_us')],
  ['refuses the recording', reason('engine_refused_audio')],
  ['answers in an unknown shape', reason('engine_unknown_answer')],
])('when an engine %s, then the next one serves and the note knows why', async (_how, reason) => {
  const served = await climb([openai, local, sphinx], { openai: new Unworkable(reason) })
  expect(served).toMatchObject({ name: 'local', instead: [{ name: 'openai', reason: reason.code }] })
})

test.each([new NotNow('closed', 5_000), new Error('connection refused')])(
  'when the best engine fails for now (%s), then the note waits for it',
  async failure => {
    await expect(climb([openai, local], { openai: failure })).rejects.toBe(failure)
  },
)

test('when an engine is not here or does not know the language, then it is skipped', async () => {
  const ladder: Listed[] = [{ name: 'openai' }, sphinx, local]
  expect(await climb(ladder, {}, 'de')).toMatchObject({
    name: 'local',
    instead: [
      { name: 'openai', reason: 'model_missing' },
      { name: 'sphinx', reason: 'language_not_supported' },
    ],
  })
})

test('when no engine knows the language, then the note fails and says which are known', async () => {
  await expect(climb([sphinx], {}, 'de')).rejects.toMatchObject({
    reason: { code: 'language_not_supported', facts: { language: 'de', known: ['en'] } },
  })
})

test('when an engine hears nothing, then the next one serves, and nothing is the outcome when all do', async () => {
  const ladder = [openai, local, sphinx]
  const instead = [{ name: 'openai', reason: 'no_speech' }]
  expect(await climb(ladder, {}, 'auto', ['openai'])).toEqual({ name: 'local', instead, text: 'hello' })
  expect(await climb(ladder, {}, 'auto', ['openai', 'local', 'sphinx'])).toMatchObject({
    text: '',
    name: 'openai',
  })
  const failures = { local: new Unworkable(reason('engine_broke')), sphinx: new EngineGone('gone') }
  expect(await climb(ladder, failures, 'auto', ['openai'])).toMatchObject({ text: '', name: 'openai' })
  const later = new NotNow('closed', 5_000)
  await expect(climb(ladder, { local: later }, 'auto', ['openai'])).rejects.toBe(later)
})

test('when every engine fails for good, then the last reason is the note’s', async () => {
  const failures = {
    openai: new Unworkable(reason('engine_refused_us')),
    local: new Unworkable(reason('engine_unknown_answer')),
  }
  await expect(climb([openai, local], failures)).rejects.toMatchObject({
    reason: { code: 'engine_unknown_answer' },
  })
})

test('when an engine has gone, then the note waits, unless another one fails for good', async () => {
  const gone = new EngineGone('The model cannot be loaded')
  await expect(climb([local], { local: gone })).rejects.toBeInstanceOf(NotNow)
  const failures = { openai: new Unworkable(reason('engine_refused_us')), local: gone }
  await expect(climb([openai, local], failures)).rejects.toBeInstanceOf(Unworkable)
})
