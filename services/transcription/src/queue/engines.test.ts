import { join } from 'node:path'
import { fakeSphinx, startOpenAiFake, temporaryFolder, tone } from '@voxscribe/speech/testing'
import { startDesk } from '../testing.ts'

const folder = await temporaryFolder()
const { command: SPHINX_COMMAND } = await fakeSphinx(folder)
const note = await tone(join(folder, 'note.wav'), 3)
const longNote = await tone(join(folder, 'long-note.wav'), 10)
let next: object | (() => object) = {}
const voxtral = await startOpenAiFake(() => (typeof next === 'function' ? next() : next))
const HELLO = { body: { text: 'Hello there.' } }
let groqNext: { status?: number; body: object } = HELLO
const groq = await startOpenAiFake(() => groqNext)
const origin = (fake: { baseUrl: string }) => new URL(fake.baseUrl).origin

const ENGINES = [
  {
    name: 'voxtral',
    kind: 'mistral',
    url: origin(voxtral),
    keyEnv: 'VOXTRAL_KEY',
    model: 'voxtral-mini-2602',
  },
  { name: 'groq', kind: 'openai', url: groq.baseUrl, model: 'whisper-large-v3', languages: ['en', 'tr'] },
  { name: 'offline', kind: 'sphinx' },
]
const desk = await startDesk({
  ENGINES: JSON.stringify(ENGINES),
  VOXTRAL_KEY: 'k-hush',
  SPHINX_COMMAND,
  SECOND_LISTENER: 'off',
  SPEECH_ENGINE: 'openai',
})
afterAll(() => Promise.all([desk.stop(), voxtral.stop(), groq.stop()]))
beforeEach(() => {
  voxtral.received.length = 0
  groq.received.length = 0
})

const lines = (...speakers: string[]) => ({
  body: {
    text: speakers.map(() => 'Ja.').join(' '),
    language: 'en',
    segments: speakers.map((speaker_id, at) => ({
      text: 'Ja.',
      start: at / 50,
      end: (at + 1) / 50,
      speaker_id,
    })),
  },
})
/** Has the first engine give this answer for a note, and returns the note. */
async function heard(
  answer: object,
  { userId = 'u1', ...facts }: { userId?: string; language?: string } = {},
) {
  next = answer
  const { id } = await desk.complete(note, { userId, ...facts })
  return desk.noteOf(id, userId)
}

test('when the first engine of the list hears, then it does, with its speakers and times', async () => {
  const { engine, passedOver, speakers, segments, timesExact } = await heard(lines('b', 'a', 'b'))
  expect(engine).toEqual({ name: 'voxtral', model: 'voxtral-mini-2602' })
  expect(passedOver).toEqual([])
  expect(speakers).toEqual([
    { id: '1', name: null },
    { id: '2', name: null },
  ])
  expect(segments.map(({ speaker }: { speaker: string }) => speaker)).toEqual(['1', '2', '1'])
  expect(timesExact).toBe(true)
  expect(voxtral.received[0]!.headers.authorization).toBe('Bearer k-hush')
  expect(groq.received).toEqual([])
})

test('when it hears one person, or more than there can be, then the note has no speakers', async () => {
  expect((await heard(lines('a', 'a'))).speakers).toEqual([])
  const crowd = Array.from({ length: 40 }, (_, at) => `speaker_${at}`)
  expect((await heard(lines(...crowd))).speakers).toEqual([])
})

test('when its key is revoked, then the next one serves, and the note says why', async () => {
  const { engine, passedOver } = await heard({ status: 401, body: { detail: 'no' } })
  expect(engine).toEqual({ name: 'groq', model: 'whisper-large-v3' })
  expect(passedOver).toEqual([{ name: 'voxtral', reason: 'engine_refused_us' }])
})

test('when each engine dies once in a day, then every note is heard, and none is paid twice', async () => {
  const gone = { status: 401, body: { detail: 'no' } }
  const [up, voxtralGone, bothGone] = [
    [lines('a'), HELLO, 'voxtral'],
    [gone, HELLO, 'groq'],
    [gone, gone, 'offline'],
  ] as const
  const served: string[] = []
  for (const [first, second, expected] of [up, voxtralGone, bothGone, voxtralGone, up]) {
    next = first
    groqNext = second
    const done = await Promise.all(Array.from({ length: 6 }, () => desk.complete(note)))
    for (const { id } of done) {
      const { engine } = await desk.noteOf(id)
      expect(engine.name).toBe(expected)
      served.push(engine.name)
    }
  }
  groqNext = HELLO
  const of = (name: string) => served.filter(each => each === name).length
  expect(served).toHaveLength(30)
  // Voxtral refused 18 calls and Groq 6; each of them served the rest.
  expect(voxtral.received).toHaveLength(of('voxtral') + 18)
  expect(groq.received).toHaveLength(of('groq') + 6)
})

test('when an engine is out for longer than a note is tried, then the next one serves, and the note says so', async () => {
  const { engine, passedOver } = await heard({ status: 500, body: { detail: 'down' } })
  expect(engine.name).toBe('groq')
  expect(passedOver).toEqual([{ name: 'voxtral', reason: 'transcription_failed' }])
  // The first try and five more.
  expect(voxtral.received).toHaveLength(6)
})

describe('when it hears a note in several parts', () => {
  const open = () =>
    startDesk({
      ENGINES: JSON.stringify([{ ...ENGINES[0], maxSeconds: 4 }, ENGINES[1]]),
      VOXTRAL_KEY: 'k-hush',
      SECOND_LISTENER: 'off',
    })

  test('then speakers of one part may be others in the next, and the note has none', async () => {
    const inParts = await open()
    next = lines('a', 'b')
    const { id } = await inParts.complete(longNote)
    const { engine, speakers, segments } = await inParts.noteOf(id)
    await inParts.stop()
    expect(voxtral.received.length).toBeGreaterThan(1)
    expect([engine.name, speakers]).toEqual(['voxtral', []])
    for (const segment of segments) expect(segment).not.toHaveProperty('speaker')
  })

  test('and its key is revoked in the middle, then the next one hears the whole note', async () => {
    const inParts = await open()
    let asked = 0
    next = () => (asked++ ? { status: 401, body: { detail: 'no' } } : lines('a'))
    const { id } = await inParts.complete(longNote)
    const { engine, passedOver, text } = await inParts.noteOf(id)
    await inParts.stop()
    expect(asked).toBeGreaterThan(1)
    expect(engine).toEqual({ name: 'groq', model: 'whisper-large-v3' })
    expect(passedOver).toEqual([{ name: 'voxtral', reason: 'engine_refused_us' }])
    expect(text).toBe('Hello there.')
  })
})

test('when it does not know the language of the note, then it is not asked', async () => {
  const { engine, passedOver } = await heard(lines('a'), { language: 'tr' })
  expect(engine.name).toBe('groq')
  expect(passedOver).toEqual([{ name: 'voxtral', reason: 'language_not_supported' }])
  expect(voxtral.received).toEqual([])
})

test('when it answers in another language than the one asked for, then the note says which it heard', async () => {
  const answered = await heard(lines('a'), { language: 'pt' })
  expect(answered).toMatchObject({ text: 'Ja.', language: 'en' })
  const unknown = await heard({ body: { ...lines('a').body, language: 'tlh' } }, { language: 'pt' })
  expect(unknown).toMatchObject({ text: 'Ja.', language: 'pt' })
})

test('when the person usually speaks a language that it does not know, then the next one serves', async () => {
  const userId = 'turkish'
  for (let times = 0; times < 3; times++) await heard(lines('a'), { userId, language: 'tr' })
  const { engine, passedOver } = await heard(lines('a'), { userId })
  expect(engine.name).toBe('groq')
  expect(passedOver).toEqual([{ name: 'voxtral', reason: 'language_not_usual' }])
})

test('when a program asks for times, then an engine without them comes after those that give them', async () => {
  const timeless = await startDesk({
    ENGINES: JSON.stringify([{ ...ENGINES[1], name: 'plain', times: 'none' }, ENGINES[2]]),
    SPHINX_COMMAND,
  })
  const served = async (facts: object) => {
    const { id } = await timeless.complete(note, facts)
    const { engine, passedOver } = await timeless.noteOf(id)
    return [engine.name, passedOver]
  }
  expect(await served({})).toEqual(['plain', []])
  expect(await served({ wantsTimes: true })).toEqual([
    'offline',
    [{ name: 'plain', reason: 'times_not_given' }],
  ])
  // If no engine gives times, a text without them will do.
  expect(await served({ wantsTimes: true, language: 'tr' })).toEqual([
    'plain',
    [{ name: 'offline', reason: 'language_not_supported' }],
  ])
  await timeless.stop()
})

test('when no engine of the list knows the language, then the note fails and says so', async () => {
  const { data } = await desk.receive(note, { language: 'sw' })
  await desk.reserve(data.mediaId)
  const failed = await desk.failed(data.mediaId)
  expect(failed.data).toMatchObject({ reason: { code: 'language_not_supported' }, seconds: 0 })
})

test('when the list is asked for, then it has names and models in order', async () => {
  const { data } = await (await desk.fetch('/internal/speech')).json()
  expect(data.engines).toEqual([
    { name: 'voxtral', kind: 'mistral', model: 'voxtral-mini-2602' },
    { name: 'groq', kind: 'openai', model: 'whisper-large-v3' },
    { name: 'offline', kind: 'sphinx', model: 'en-us' },
  ])
})
