import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import bundled from '@ffmpeg-installer/ffmpeg'
import { boundedFetch } from '@voxscribe/service'
import { silentLog } from '@voxscribe/service/testing'
import { createFfmpeg } from '../audio/ffmpeg.ts'
import { NotNow, Unworkable } from '../errors.ts'
import { startOpenAiFake } from '../testing/openai-fake.ts'
import { folderOfTests, partOf, tone } from '../testing/sound.ts'
import type { EngineEntry } from './entry.ts'
import { kindOf } from './kinds.ts'

const ffmpeg = createFfmpeg({ FFMPEG_PATH: bundled.path, FFMPEG_TIMEOUT: 20_000 })
const { signal } = new AbortController()
const folder = folderOfTests()
const samples = join(folder, 'samples.raw')
await ffmpeg.decode(await tone(join(folder, 'a.wav'), 3), { to: samples, signal })

type Fake = Awaited<ReturnType<typeof startOpenAiFake>>

async function engineFor(fake: Fake, entry: Partial<EngineEntry>) {
  const { kind = 'mistral' } = entry
  const whole = { name: 'theirs', kind, key: 'k-1', url: new URL(fake.baseUrl).origin, ...entry }
  const deps = { ffmpeg, boundedFetch, log: silentLog, settings: { SPEECH_TIMEOUT: 2_000 } }
  const find = await kindOf(kind)!.open(whole, deps as never)
  return find()!
}
const VOXTRAL = { kind: 'mistral', model: 'voxtral-mini-2602' }
const SCRIBE = { kind: 'elevenlabs', model: 'scribe_v2' }
const words = ['Ada Lovelace', 'VX-1', 'a<b']

async function hear(fake: Fake, entry: Partial<EngineEntry>, language = 'pt') {
  const engine = await engineFor(fake, entry)
  const part = partOf({ samples, folder, pieces: [{ from: 10, to: 13 }], words })
  return engine.recognise(part, language, signal).finally(fake.stop)
}
/** The fields of the only call, except its file. */
const fieldsOf = ({ received: [call] }: Fake) => [...call!.form.entries()].filter(([name]) => name !== 'file')

test('when Mistral is asked, then as its SDK does, and lines have times and speakers', async () => {
  const fake = await startOpenAiFake({
    body: {
      model: 'voxtral-mini-2602',
      text: 'Olá. Bom dia.',
      language: 'pt',
      segments: [
        { type: 'transcription_segment', text: ' Olá.', start: 0.2, end: 1, speaker_id: 'speaker_1' },
        { type: 'transcription_segment', text: ' Bom dia.', start: 1.2, end: 2.8, speaker_id: 'speaker_2' },
      ],
    },
  })
  expect(await hear(fake, VOXTRAL)).toEqual({
    segments: [
      { from: 10.2, to: 11, text: 'Olá.', confidence: null, speaker: 'speaker_1' },
      { from: 11.2, to: 12.8, text: 'Bom dia.', confidence: null, speaker: 'speaker_2' },
    ],
    language: 'pt',
    timesExact: true,
  })
  expect(fake.received[0]!.headers.authorization).toBe('Bearer k-1')
  // Times and a language are mutually exclusive.
  expect(fieldsOf(fake)).toEqual([
    ['model', 'voxtral-mini-2602'],
    ['timestamp_granularities', 'segment'],
    ['diarize', 'true'],
    ['context_bias', 'Ada_Lovelace'],
    ['context_bias', 'VX-1'],
    ['context_bias', 'a<b'],
  ])
})

test('when Scribe is asked, then as its SDK does, and words have times, confidence and speakers', async () => {
  const word = (text: string, start: number, end: number, speaker_id = 'speaker_0', type = 'word') => ({
    ...{ text, start, end, type, speaker_id },
    logprob: Math.log(0.8),
  })
  const fake = await startOpenAiFake({
    body: {
      language_code: 'por',
      text: 'Olá a todos. (risos) Bom dia.',
      words: [
        word('Olá', 0.1, 0.4),
        word(' ', 0.4, 0.5, 'speaker_0', 'spacing'),
        word('todos.', 0.5, 1),
        word('(risos)', 1, 1.4, 'speaker_1', 'audio_event'),
        word('Bom', 1.5, 1.8, 'speaker_1'),
        word('dia', 1.9, 2.2, 'speaker_1'),
      ],
    },
  })
  const { segments, ...rest } = await hear(fake, SCRIBE)
  expect(rest).toEqual({ language: 'pt', timesExact: true })
  expect(segments.map(({ from, to, text, speaker }) => [from, to, text, speaker])).toEqual([
    [10.1, 11, 'Olá todos.', 'speaker_0'],
    [11.5, 12.2, 'Bom dia', 'speaker_1'],
  ])
  expect(segments[0]!.words!.map(({ text }) => text)).toEqual(['Olá', 'todos.'])
  expect(segments[0]!.confidence).toBeCloseTo(0.8)
  const { headers } = fake.received[0]!
  expect([headers['xi-api-key'], headers.authorization]).toEqual(['k-1', undefined])
  expect(fieldsOf(fake)).toEqual([
    ['model_id', 'scribe_v2'],
    ['tag_audio_events', 'false'],
    ['timestamps_granularity', 'word'],
    ['language_code', 'pt'],
    ['diarize', 'true'],
  ])
})

test('when words are to go to Scribe, then only those that it takes, and its price has them', async () => {
  const fake = await startOpenAiFake({ body: { text: 'Olá', words: [] } })
  await hear(fake, { ...SCRIBE, words: true })
  expect(fieldsOf(fake).filter(([name]) => name === 'keyterms')).toEqual([
    ['keyterms', 'Ada Lovelace'],
    ['keyterms', 'VX-1'],
  ])
  const price = async (entry: object) => (await engineFor(fake, { ...SCRIBE, ...entry })).abilities.perMinute
  expect((await price({ words: true })) / (await price({}))).toBeCloseTo(1.2)
  expect(await price({ pricePerMinute: 0.01 })).toBe(0.01)
})

test('when the list says that a server of OpenAI’s protocol gives words, then they are asked for and used', async () => {
  const word = (word: string, start: number, end: number) => ({ word, start, end })
  const segments = [
    { text: ' Olá, a todos.', start: 0, end: 1.5 },
    { text: ' Bom dia!', start: 1.5, end: 3 },
  ]
  const answer = (...words: object[]) => ({ body: { text: 'x', language: 'portuguese', segments, words } })
  const own = { kind: 'openai', model: 'Systran/faster-whisper-small', times: 'words' } as const
  const heard = async (...words: object[]) => {
    const fake = await startOpenAiFake(answer(...words))
    const { segments } = await hear(fake, { ...own, url: fake.baseUrl, words: false })
    expect(fieldsOf(fake).filter(([name]) => name.startsWith('timestamp'))).toEqual([
      ['timestamp_granularities[]', 'segment'],
      ['timestamp_granularities[]', 'word'],
    ])
    return segments.map(({ words }) => words?.map(({ text, from, to }) => [text, from, to]))
  }
  const said = [word('Olá', 0.1, 0.4), word('a', 0.5, 0.6), word('todos', 0.7, 1.6)]
  expect(await heard(...said, word('bom', 1.7, 2), word('dia', 2, 2.9))).toEqual([
    [
      ['Olá,', 10.1, 10.4],
      ['a', 10.5, 10.6],
      ['todos.', 10.7, 11.5],
    ],
    [
      ['Bom', 11.7, 12],
      ['dia!', 12, 12.9],
    ],
  ])
  expect(await heard(...said, word('other', 1.7, 2))).toEqual([expect.anything(), undefined])
  expect(await heard(...said, word('bom', 1.7, 2), word('dia', 2, 9))).toEqual([undefined, undefined])
})

const segment = (start: number | null, end: number | null) => ({ text: 'x', start, end })
test.each([
  ['null', [segment(null, null)]],
  ['beyond the sound', [segment(0, 1), segment(2, 9)]],
  ['backward', [segment(2, 2.5), segment(0, 1)]],
  ['ending before they begin', [segment(2, 1)]],
  ['no numbers', [{ text: 'x', start: 'soon', end: 'late' }]],
])('when times of Mistral are %s, then the text counts and its times do not', async (_how, segments) => {
  const fake = await startOpenAiFake({ body: { text: 'Olá a todos.', language: 'pt', segments } })
  const heard = await hear(fake, VOXTRAL)
  expect(heard).toMatchObject({ timesExact: false, language: 'pt' })
  expect(heard.segments.map(({ text }) => text)).toEqual(['Olá a todos.'])
})

test('when times of Scribe are beyond the sound, then the text counts and its times do not', async () => {
  const words = [0, 9].map(start => ({ text: 'x', start, end: start + 1, type: 'word' }))
  const fake = await startOpenAiFake({ body: { text: 'Olá a todos.', language_code: 'por', words } })
  const heard = await hear(fake, SCRIBE)
  expect(heard).toMatchObject({ timesExact: false, language: 'pt' })
  expect(heard.segments.map(({ text }) => text)).toEqual(['Olá a todos.'])
})

test.each([VOXTRAL, SCRIBE])(
  'when %j answers with an error, then it is told as of any server',
  async entry => {
    const failure = async (...answers: Parameters<typeof startOpenAiFake>) =>
      hear(await startOpenAiFake(...answers), entry).catch(error => error)
    const refused = await failure({ status: 401, body: { detail: 'no' } })
    expect([refused.constructor, refused.message]).toEqual([Unworkable, 'engine_refused_us'])
    expect((await failure({ body: { error: 'sorry' } })).message).toBe('engine_unknown_answer')
    const busy = await failure({ status: 429, headers: { 'retry-after': '7' } })
    expect(busy).toBeInstanceOf(NotNow)
    expect(busy.afterMs).toBe(7_000)
    expect((await failure('never')).name).toBe('Error')
  },
)

test('when an answer comes byte by byte, then the call ends after its time, and may be tried again', async () => {
  const server = createServer(async (request, response) => {
    await request.resume().toArray()
    response.writeHead(200, { 'content-type': 'application/json' })
    for (const byte of '{"text":"Olá"}'.padEnd(40)) {
      if (response.closed) return
      response.write(byte)
      await wait(50)
    }
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const engine = await engineFor({ baseUrl: `http://127.0.0.1:${port}` } as Fake, {
    ...VOXTRAL,
    timeout: 300,
  })
  const call = engine.recognise(partOf({ samples, folder, pieces: [{ from: 0, to: 3 }] }), 'auto', signal)
  const error = await call.catch(error => error)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(Unworkable)
  server.closeAllConnections()
  server.close()
})

test('when the list says what an engine takes, then that counts before the table', async () => {
  const fake = await startOpenAiFake({ body: { text: 'x' } })
  const { abilities } = await engineFor(fake, {
    ...VOXTRAL,
    ...{
      languages: ['en'],
      times: 'none',
      speakers: false,
      words: false,
      maxSeconds: 600,
      maxBytes: 1_000_000,
    },
  })
  expect(abilities).toMatchObject({ languages: ['en'], times: 'none', speakers: false, words: undefined })
  expect(abilities.partSeconds).toBe(250)
  await hear(fake, { ...VOXTRAL, times: 'none', speakers: false, words: false })
  expect(fieldsOf(fake)).toEqual([['model', 'voxtral-mini-2602']])
})
