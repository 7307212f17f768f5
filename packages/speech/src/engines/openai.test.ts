import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import bundled from '@ffmpeg-installer/ffmpeg'
import { boundedFetch, createLog, type Logger } from '@voxscribe/service'
import { eventually, silentLog } from '@voxscribe/service/testing'
import { createFfmpeg, type Ffmpeg } from '../audio/ffmpeg.ts'
import { DISK_PER_SECOND } from '../audio/levels.ts'
import { NotNow, Unworkable } from '../errors.ts'
import { openAiError, startOpenAiFake } from '../testing/openai-fake.ts'
import { fileTypeOf, folderOfTests, partOf, ffmpeg as record, tone } from '../testing/sound.ts'
import type { EngineEntry } from './entry.ts'
import { kindOf } from './kinds.ts'

const ffmpeg = createFfmpeg({ FFMPEG_PATH: bundled.path, FFMPEG_TIMEOUT: 20_000 })
const { signal } = new AbortController()
const folder = folderOfTests()
const samples = join(folder, 'samples.raw')
await ffmpeg.decode(await tone(join(folder, 'a.wav'), 3), { to: samples, signal })

type Fake = Awaited<ReturnType<typeof startOpenAiFake>>

async function engineFor(
  fake: Fake,
  model = 'gpt-transcribe',
  timeoutMs = 5_000,
  by = ffmpeg,
  log = silentLog,
  more: Partial<EngineEntry> = {},
) {
  const entry = { name: 'openai', kind: 'openai', key: 'sk-test', url: fake.baseUrl, model, ...more }
  const deps = { ffmpeg: by, boundedFetch, log, settings: { SPEECH_TIMEOUT: timeoutMs } }
  const find = await kindOf('openai')!.open(entry, deps as never)
  return find()!
}

interface Asked {
  model?: string
  language?: string
  timeoutMs?: number
  stop?: AbortSignal
  seconds?: number
  log?: Logger
}

const recognise = (fake: Fake, { model, language, timeoutMs, stop, seconds = 3, log }: Asked = {}) =>
  engineFor(fake, model, timeoutMs, ffmpeg, log)
    .then(engine =>
      engine.recognise(
        partOf({ samples, folder, pieces: [{ from: 0, to: seconds }] }),
        language ?? 'auto',
        stop ?? signal,
      ),
    )
    .finally(fake.stop)

test('when a part is sent, then it is Opus in an .ogg file, with key and idempotency key', async () => {
  const fake = await startOpenAiFake({ body: { text: ' Olá ', languages: [{ code: 'pt' }] } })
  const segments = [{ from: 0, to: 3, text: 'Olá', confidence: null }]
  expect(await recognise(fake)).toEqual({ segments, language: 'pt', timesExact: false })
  const { headers, form } = fake.received[0]!
  const file = form.get('file') as File
  expect(headers).toMatchObject({ authorization: 'Bearer sk-test', 'idempotency-key': 'key-1' })
  expect([file.name, file.type]).toEqual(['note.ogg', 'audio/ogg'])
  const sent = join(folder, 'sent')
  await writeFile(sent, Buffer.from(await file.arrayBuffer()))
  expect(await fileTypeOf(sent)).toBe('ogg opus')
})

test('when parts are sent, then they take no more disk than a note has room for', async () => {
  const SECONDS = 60
  const noise = join(folder, 'noise.wav')
  await record('-f', 'lavfi', '-i', `anoisesrc=c=white:a=1:r=16000:d=${SECONDS}`, noise)
  await ffmpeg.decode(noise, { to: samples, signal })
  const fake = await startOpenAiFake({ body: { text: 'x' } })
  await recognise(fake, { seconds: SECONDS })
  const { size } = fake.received[0]!.form.get('file') as File
  expect(size + (await stat(samples)).size).toBeLessThanOrEqual(SECONDS * DISK_PER_SECOND)
})

test('when many notes are sent, then they are encoded as they are called, not all at once', async () => {
  const seen = { now: 0, most: 0 }
  const slow: Ffmpeg = {
    ...ffmpeg,
    async encode(_samples, _pieces, to) {
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await writeFile(to, 'sound')
      seen.now -= 1
    },
  }
  const fake = await startOpenAiFake({ body: { text: 'x' } })
  const engine = await engineFor(fake, undefined, undefined, slow)
  await Promise.all(
    Array.from({ length: 40 }, () => engine.recognise(partOf({ samples, folder }), 'auto', signal)),
  )
  await fake.stop()
  expect(fake.received).toHaveLength(40)
  expect(seen.most).toBeLessThanOrEqual(4)
})

test.each([
  ['gpt-transcribe', 'pt', { response_format: 'json', 'languages[]': 'pt' }],
  ['gpt-4o-mini-transcribe', 'pt', { response_format: 'json', language: 'pt', 'include[]': 'logprobs' }],
  ['gpt-4o-transcribe-diarize', 'auto', { response_format: 'json', chunking_strategy: 'auto' }],
  ['whisper-1', 'jw', { response_format: 'verbose_json' }],
  ['whisper-1', 'pt', { response_format: 'verbose_json', language: 'pt' }],
  ['gpt-transcribe', 'am', { response_format: 'json' }],
  ['large-v3', 'jw', { response_format: 'verbose_json', language: 'jv' }],
  ['whisper-1', 'haw', { response_format: 'verbose_json' }],
  ['Systran/faster-whisper-small', 'de', { response_format: 'verbose_json', language: 'de' }],
])(
  'when the model is %s and the language %s, then it is asked in its own way',
  async (model, language, asked) => {
    const fake = await startOpenAiFake({ body: { text: 'x', language: 'english' } })
    await recognise(fake, { model, language })
    const { form } = fake.received[0]!
    const sent = Object.fromEntries(
      [...form.entries()].filter(([name]) => name !== 'file' && name !== 'model'),
    )
    expect(sent).toEqual(asked)
    expect(form.get('model')).toBe(model)
  },
)

test.each([
  ['gpt-transcribe', { 'keywords[]': ['Nora', 'été'] }],
  ['gpt-4o-transcribe', { prompt: ['Nora, été'] }],
  ['whisper-1', { prompt: ['Nora, été'] }],
  ['large-v3', { prompt: ['Nora, été'] }],
  ['gpt-4o-transcribe-diarize', {}],
])('when the person has words of their own, then %s gets them as it takes them', async (model, sent) => {
  const fake = await startOpenAiFake({ body: { text: 'x', language: 'english' } })
  const part = partOf({ samples, folder, words: ['Nora', 'été'] })
  await (await engineFor(fake, model)).recognise(part, 'auto', signal).finally(fake.stop)
  const { form } = fake.received[0]!
  const given = ['keywords[]', 'prompt'].filter(name => form.has(name)).map(name => [name, form.getAll(name)])
  expect(Object.fromEntries(given)).toEqual(sent)
})

/** A provider's error about a field. */
const refusalOf = (message: string, param: string | null = null) => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code: 'invalid_value' } },
})
const WORDS = ['Nora', 'été', 'Kraków', 'a<b', 'two\nlines', 'two\u2028lines']
const SENT = ['Nora', 'été', 'Kraków']
test.each([
  ['by its place', [refusalOf('Invalid value', 'keywords[1]')], [SENT, ['Nora', 'Kraków']]],
  ['as it is written', [refusalOf("Invalid keyword: 'Kraków'")], [SENT, ['Nora', 'été']]],
  ['not', [refusalOf('Invalid keywords')], [SENT, []]],
  ['not, nor the field', [refusalOf('Invalid request')], [SENT, []]],
  [
    'one by one',
    [refusalOf('No Nora', 'keywords'), refusalOf('No été', 'keywords')],
    [SENT, ['été', 'Kraków'], []],
  ],
])(
  'when the provider refuses a word and names it %s, then the call is made again without',
  async (_how, errors, sent) => {
    const fake = await startOpenAiFake(...errors, { body: { text: 'Hola' } })
    const part = partOf({ samples, folder, words: WORDS })
    const { segments } = await (await engineFor(fake)).recognise(part, 'auto', signal).finally(fake.stop)
    expect(segments).toMatchObject([{ text: 'Hola' }])
    expect(fake.received.map(({ form }) => form.getAll('keywords[]'))).toEqual(sent)
    const keys = fake.received.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(sent.length)
  },
)

test('when the provider refuses words and language, then both are left out', async () => {
  const fake = await startOpenAiFake(
    refusalOf('Invalid language', 'languages'),
    refusalOf('Invalid keyword “language”', 'keywords'),
    { body: { text: 'Hola' } },
  )
  const part = partOf({ samples, folder, words: ['language'] })
  await (await engineFor(fake)).recognise(part, 'es', signal).finally(fake.stop)
  expect(fake.received.map(({ form }) => [...form.keys()].filter(name => /key|lang/.test(name)))).toEqual([
    ['languages[]', 'keywords[]'],
    ['keywords[]'],
    [],
  ])
})

test('when a refusal has nothing to do with words, then the note fails in the end', async () => {
  const fake = await startOpenAiFake(openAiError(400, null))
  const part = partOf({ samples, folder, words: WORDS })
  const engine = await engineFor(fake)
  const heard = engine.recognise(part, 'auto', signal).finally(fake.stop)
  await expect(heard).rejects.toMatchObject({ reason: { code: 'engine_refused_audio' } })
  expect(fake.received).toHaveLength(2)
})

test('when gpt-4o tells how sure it is of each token, then confidence is the mean', async () => {
  const logprobs = [
    { token: 'a', logprob: Math.log(0.5) },
    { token: 'b', logprob: Math.log(0.9) },
  ]
  const fake = await startOpenAiFake({ body: { text: 'a b', logprobs } })
  const speech = await recognise(fake, { model: 'gpt-4o-transcribe' })
  expect(speech.segments).toMatchObject([{ text: 'a b', confidence: expect.closeTo(0.7, 5) }])
})

test('when whisper-1 gives segments, then they have its times and no_speech_prob', async () => {
  const segments = [
    { text: ' Hi there.', start: 0, end: 2, avg_logprob: Math.log(0.8), no_speech_prob: 0.01 },
    { text: ' Thanks for watching!', start: 2, end: 3, avg_logprob: -1.4, no_speech_prob: 0.93 },
  ]
  const fake = await startOpenAiFake({ body: { text: 'all', language: 'english', segments } })
  const speech = await recognise(fake, { model: 'whisper-1' })
  expect(speech).toMatchObject({ language: 'en', timesExact: true })
  expect(speech.segments).toEqual([
    { from: 0, to: 2, text: 'Hi there.', confidence: expect.closeTo(0.8, 5) },
    { from: 2, to: 3, text: 'Thanks for watching!', confidence: expect.any(Number), noSpeech: 0.93 },
  ])
})

test('when segments come out of order, then they are sorted, but not where they only overlap a little', async () => {
  const segments = [
    { text: 'late', start: 0.5, end: 0.8 },
    { text: 'early', start: 0, end: 0.4 },
    { text: 'first', start: 1, end: 1.2 },
    { text: 'then', start: 0.98, end: 1.4 },
    { text: 'backwards', start: 1.6, end: 1.5 },
  ]
  const fake = await startOpenAiFake({ body: { text: 'all', segments } })
  const speech = await recognise(fake, { model: 'whisper-1' })
  expect(speech.segments.map(({ text }) => text)).toEqual(['early', 'late', 'first', 'then', 'backwards'])
})

const SENTENCES = [
  { text: ' Hi there.', start: 0, end: 1 },
  { text: ' All is well.', start: 1, end: 3 },
]
const withTimes = (...times: [unknown, unknown][]) =>
  SENTENCES.map((segment, at) => ({ ...segment, start: times[at]?.[0], end: times[at]?.[1] }))
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }
test.each([
  ['an end of null', { segments: withTimes([0, 1], [1, null]) }, false],
  ['times as text', { segments: withTimes(['0.0', '1.0'], ['1', '3']) }, true],
  ['times of a clock', { segments: withTimes(['00:00:00', '00:00:01'], ['00:00:01', '00:00:03']) }, false],
  ['times before its beginning', { segments: withTimes([-1, 1], [1, 3]) }, false],
  ['times beyond its end', { segments: withTimes([0, 7], [7, 9]) }, false],
  ['an end beyond its own', { segments: withTimes([0, 1], [1, 30]) }, true],
  ['segments without text', { segments: [{ start: 0, end: 3 }] }, false],
  ['segments of empty text', { segments: [{ start: 0, end: 3, text: '' }] }, false],
  ['segments that are one', { segments: SENTENCES[0] }, false],
  ['measures as text', { segments: SENTENCES.map(each => ({ ...each, avg_logprob: '-0.2' })) }, true],
  ['languages as codes', { languages: ['en'], logprobs: 'none', language: 7 }, false],
  ['no text beside its segments', { text: undefined, segments: SENTENCES }, true],
  ['text of null beside its segments', { text: null, segments: SENTENCES }, true],
])(
  'when a server of the protocol answers with %s, then its text is read',
  async (_what, more, timesExact) => {
    const fake = await startOpenAiFake({ body: { text: 'Hi there. All is well.', ...more } })
    const speech = await recognise(fake, { model: 'large-v3' })
    expect(speech.segments.map(({ text }) => text).join(' ')).toBe('Hi there. All is well.')
    expect(speech.timesExact).toBe(timesExact)
    for (const { from, to } of speech.segments) expect(to).toBeGreaterThan(from)
    expect(speech.segments.at(-1)?.to).toBe(3)
  },
)

test.each([
  ['the text itself', 'Hi there.\n', ['Hi there.']],
  ['JSON', JSON.stringify({ text: 'Hi there.', segments: SENTENCES.slice(0, 1) }), ['Hi there.']],
])('when a server answers in text/plain with %s, then it is read', async (_what, body, texts) => {
  const fake = await startOpenAiFake({ headers: PLAIN, body })
  const { segments } = await recognise(fake, { model: 'large-v3' })
  expect(segments.map(({ text }) => text)).toEqual(texts)
})

test.each([
  ['the key is wrong', openAiError(401, 'invalid_api_key'), 'engine_refused_us'],
  ['the model has ended', openAiError(404, 'model_not_found'), 'engine_refused_us'],
  ['nothing is paid', openAiError(429, 'insufficient_quota', 'insufficient_quota'), 'engine_refused_us'],
  ['the audio is refused', openAiError(400, null), 'engine_refused_audio'],
  ['the file is too large', openAiError(413, null, 'server_error'), 'engine_refused_audio'],
  ['the answer is a list', { body: [] }, 'engine_unknown_answer'],
  ['the answer has no text', { body: { words: ['hello'] } }, 'engine_unknown_answer'],
  ['the text is a number', { body: { text: 7 } }, 'engine_unknown_answer'],
  ['the answer is nothing', { body: null }, 'engine_unknown_answer'],
  ['the answer is a page', { headers: PLAIN, body: '<html>Welcome' }, 'engine_unknown_answer'],
  ['the answer is empty', { headers: PLAIN, body: '' }, 'engine_unknown_answer'],
])('when %s, then the note fails with a plain reason after one call', async (_why, answer, code) => {
  const fake = await startOpenAiFake(answer)
  await expect(recognise(fake)).rejects.toMatchObject({ reason: { code } })
  expect(fake.received).toHaveLength(1)
})

const SPOKEN = 'meet Grace at the harbour'
const refusedWith = (status: number, param: string | null = null) => ({
  status,
  body: { error: { message: `Bad: ${SPOKEN}`, type: 'invalid_request_error', param, code: null } },
})
test.each([
  ['our key is refused', refusedWith(401)],
  ['the recording is refused', refusedWith(400, 'file')],
  ['its shape is another one', { body: { text: { heard: SPOKEN } } }],
  ['it is no JSON', { body: SPOKEN }],
])(
  'when an answer has words of the person and %s, then none of them is in the log',
  async (_what, answer) => {
    const file = join(folder, `${randomUUID()}.log`)
    const fake = await startOpenAiFake(answer)
    const failed = await recognise(fake, { log: createLog('test', 'trace', file) }).catch(error => error)
    expect(failed).toBeInstanceOf(Unworkable)
    const logged = await eventually(async () => (await readFile(file, 'utf8')).trim())
    expect(logged).toContain('the speech service')
    for (const word of SPOKEN.split(' ').filter(word => word.length > 4)) expect(logged).not.toContain(word)
  },
)

test.each([
  ['it is down', openAiError(500, null, 'server_error')],
  ['it does not answer in time', 'never' as const],
])('when %s, then the call is made once and may be tried again', async (_why, answer) => {
  const fake = await startOpenAiFake(answer)
  const refused = await recognise(fake, { timeoutMs: 1_000 }).catch(error => error)
  expect(refused).toBeInstanceOf(Error)
  expect(refused).not.toBeInstanceOf(Unworkable)
  expect(refused).not.toBeInstanceOf(NotNow)
  expect(fake.received).toHaveLength(1)
})

test.each([
  [429, { 'retry-after': '7' }, 7_000],
  [503, { 'retry-after': '90' }, 90_000],
  [429, { 'x-ratelimit-reset-requests': '1.2s', 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
  [429, { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  [503, {}, 10_000],
  [429, { 'retry-after': '604800' }, 3_600_000],
])('when it answers %s with %j, then the note waits %s ms', async (status, headers, afterMs) => {
  const fake = await startOpenAiFake({ ...openAiError(status, 'rate_limit_exceeded', 'requests'), headers })
  const refused = await recognise(fake).catch(error => error)
  expect(refused).toBeInstanceOf(NotNow)
  expect(refused.afterMs).toBe(afterMs)
  expect(fake.received).toHaveLength(1)
})

test('when it is told to stop, then the call is given up with that reason', async () => {
  const fake = await startOpenAiFake('never')
  const abort = new AbortController()
  const listening = recognise(fake, { stop: abort.signal })
  listening.catch(() => {})
  await eventually(() => fake.received.length === 1)
  abort.abort(new Error('enough'))
  await expect(listening).rejects.toThrow('enough')
})

test.each([
  ['gpt-transcribe', { text: 'Hola' }],
  ['large-v3', { text: 'Hola' }],
])('when %s refuses the hint, then it is asked once more without', async (model, body) => {
  const refusal = { message: "Language parameter 'es' is not supported", type: 'invalid_request_error' }
  const fake = await startOpenAiFake({ status: 400, body: { error: refusal } }, { body })
  expect((await recognise(fake, { model, language: 'es' })).segments).toMatchObject([{ text: 'Hola' }])
  const hints = fake.received.map(({ form }) => form.get('languages[]') ?? form.get('language'))
  expect(hints).toEqual(['es', null])
  const keys = fake.received.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(2)
})
