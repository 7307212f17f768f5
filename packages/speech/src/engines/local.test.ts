import type { Span } from '../audio/levels.ts'
import { EngineGone } from '../errors.ts'
import { CannotLoad, type NativePool, WorkerCrashed } from '../local-model/pool.ts'
import type { Recognise, Recognised } from '../local-model/protocol.ts'
import { partOf } from '../testing/sound.ts'
import type { Part } from './engine.ts'
import { createLocal, speechOf } from './local.ts'

const nothing: Recognised = { text: '', language: '', segments: [], tokens: [] }
const heard = (facts: Partial<Recognised>): Recognised => ({ ...nothing, ...facts })
const saying = (to: number, text: string) => heard({ text: 'x', segments: [{ from: 0, to, text }] })
const model = { name: 'm', kind: 'moonshine', folder: '/m', languages: ['en'], workerMegabytes: 250 } as const
const aside: string[] = []
const models = { setAside: (folder: string) => void aside.push(folder) }
const { signal } = new AbortController()
const listen = (pool: NativePool, from: number, to: number, language = 'en') =>
  createLocal(pool, model, models).recognise(partOf({ pieces: [{ from, to }] }), language, signal)

/** A pool whose worker returns the given results. */
const poolThat = (hear: (task: Recognise) => Recognised): NativePool => ({
  size: 2,
  run: async task => hear(task as Recognise) as never,
  close: () => {},
})

test('when a piece gives no text, then its halves are tried, and nothing that was said is lost', async () => {
  const asked: number[] = []
  const pool = poolThat(({ span }) => {
    asked.push(span.to - span.from)
    return heard({ text: span.to - span.from > 4 ? '' : `from ${span.from}.` })
  })
  const { segments, language } = await listen(pool, 10, 18, 'auto')
  expect(segments.map(({ text }) => text)).toEqual(['from 10.', 'from 14.'])
  expect(asked).toEqual([8, 4, 4])
  expect(language).toBe('en')
})

test('when a model stops long before the end, then the rest is heard again, and nothing twice', async () => {
  const asked: number[] = []
  const pool = poolThat(({ span }) => {
    asked.push(span.from)
    return span.from === 100
      ? saying(8, 'He was not an ill disposed young man, unless to be rather cold hearted and rather selfish')
      : saying(9, 'Rather selfish is to be ill disposed. But he was, in general, well respected.')
  })
  const { segments } = await listen(pool, 100, 116)
  expect(asked).toEqual([100, 107])
  expect(segments.map(({ text }) => text)).toEqual([
    'He was not an ill disposed young man, unless to be rather cold hearted and rather',
    'selfish is to be ill disposed. But he was, in general, well respected.',
  ])
})

test('when a model stops early whatever it hears, then it hears the piece a few times at most', async () => {
  const asked: number[] = []
  const pool = poolThat(({ span }) => {
    asked.push(span.to - span.from)
    return saying(0.2, 'Oh.')
  })
  await listen(pool, 0, 20)
  expect(asked.reduce((sum, seconds) => sum + seconds)).toBeLessThanOrEqual(5 * 20)
})

describe('a model that detects the language', () => {
  const whisper = { ...model, kind: 'whisper', languages: ['en', 'es', 'ta'] } as const
  const asked: string[] = []
  const guesses = (...byPiece: string[]) =>
    poolThat(({ span, language }) => {
      asked.push(language)
      const seconds = span.to - span.from
      return { ...saying(seconds, language || 'guessed'), language: language || byPiece[span.from / 20]! }
    })
  const short = { from: 0, to: 2 }
  const notes = ['es', 'es', 'pt']
  const likelyLanguage = async (guess: string) => (notes.includes(guess) ? guess : notes[0]!)
  const recognise = async (pool: NativePool, pieces: Span[], facts: Partial<Part> = { likelyLanguage }) => {
    asked.length = 0
    const speech = await createLocal(pool, whisper, models).recognise(
      partOf({ pieces, ...facts }),
      'auto',
      signal,
    )
    return { texts: speech.segments.map(({ text }) => text), language: speech.language }
  }

  test('when it takes two seconds for a language that is new to the person, then it hears them in theirs', async () => {
    expect(await recognise(guesses('ta'), [short])).toEqual({ texts: ['es'], language: 'es' })
    expect(asked).toEqual(['', 'es'])
  })

  test.each([
    ['a language of earlier notes', guesses('pt'), short, { likelyLanguage }],
    [
      'a language, and nothing is known of the person',
      guesses('ta'),
      short,
      { likelyLanguage: async () => 'auto' },
    ],
    [
      'a language, and the person’s isn’t the model’s',
      guesses('ta'),
      short,
      { likelyLanguage: async () => 'fi' },
    ],
    ['a language in five seconds', guesses('ta'), { from: 0, to: 5 }, { likelyLanguage }],
    ['a language where none may be assumed', guesses('ta'), short, {}],
  ])('when it hears %s, then it hears once', async (_what, pool, piece, facts) => {
    expect((await recognise(pool, [piece], facts)).texts).toEqual(['guessed'])
    expect(asked).toEqual([''])
  })

  test('when a short piece differs from the longer ones, then it is heard in their language', async () => {
    const pieces = [short, { from: 20, to: 32 }]
    const unknown = { likelyLanguage: async () => 'auto' }
    expect(await recognise(guesses('ta', 'en'), pieces, unknown)).toEqual({
      texts: ['en', 'guessed'],
      language: 'en',
    })
  })

  test('when short pieces are in one language for five seconds in all, then they stay', async () => {
    const pieces = [0, 20, 40].map(from => ({ from, to: from + 2 }))
    expect((await recognise(guesses('ta', 'ta', 'ta'), pieces)).texts).toEqual([
      'guessed',
      'guessed',
      'guessed',
    ])
    expect((await recognise(guesses('ta', 'ta', 'en'), pieces)).texts).toEqual(['es', 'es', 'es'])
  })

  test('when long pieces are in two languages, then each stays, and the part is in the longer one', async () => {
    const pieces = [
      { from: 0, to: 6 },
      { from: 20, to: 32 },
    ]
    expect(await recognise(guesses('ta', 'en'), pieces)).toEqual({
      texts: ['guessed', 'guessed'],
      language: 'en',
    })
    expect(asked).toEqual(['', ''])
  })

  test('when the person’s language gives no text, then the first text stays', async () => {
    const pool = poolThat(({ language }) => (language ? nothing : { ...saying(2, 'x'), language: 'ta' }))
    expect((await recognise(pool, [short])).texts).toEqual(['x'])
  })
})

test('when the worker crashes over a recording, then the engine fails for good on this note', async () => {
  const pool = poolThat(() => {
    throw new WorkerCrashed('aborted')
  })
  await expect(listen(pool, 0, 3)).rejects.toMatchObject({
    name: 'Unworkable',
    reason: { code: 'engine_broke' },
  })
})

test('when the model cannot be loaded, then it is set aside, and the engine is gone', async () => {
  const pool = poolThat(() => {
    throw new CannotLoad('half of a file')
  })
  await expect(listen(pool, 0, 3)).rejects.toThrow(EngineGone)
  expect(aside).toEqual(['/m'])
})

test('when the model gives tokens with times, then they become words and sentences of the note', () => {
  const tokens = [' Good', ' mor', 'ning', '.', ' Bye', '.'].map((text, at) => ({
    text,
    from: at,
    to: at + 1,
    confidence: 0.5,
  }))
  const { segments, timesExact } = speechOf(heard({ text: 'x', tokens }), { from: 100, to: 106 })
  expect(timesExact).toBe(true)
  expect(segments).toMatchObject([
    { from: 100, to: 104, text: 'Good morning.', confidence: 0.5 },
    { from: 104, to: 106, text: 'Bye.' },
  ])
  expect(segments[0]?.words?.map(({ text }) => text)).toEqual(['Good', 'morning.'])
})

test('when times of words and segments differ, then each segment has its own words', () => {
  const token = (text: string, from: number) => ({ text, from, to: from + 0.5, confidence: 0.9 })
  const { segments } = speechOf(
    {
      ...nothing,
      segments: [
        { from: 0, to: 1.1, text: ' For them.' },
        { from: 1.1, to: 2, text: ' He was.' },
        { from: 2, to: 3, text: ' Other words' },
      ],
      tokens: [token(' For', 0), token(' them', 0.5), token('.', 0.9), token(' He', 1), token(' was.', 1.5)],
    },
    { from: 0, to: 3 },
  )
  expect(segments.map(({ words }) => words?.map(({ text, from, to }) => [text, from, to]))).toEqual([
    [
      ['For', 0, 0.5],
      ['them.', 0.5, 1.1],
    ],
    [
      ['He', 1.1, 1.5],
      ['was.', 1.5, 2],
    ],
    undefined,
  ])
})

test('when the model gives no times, then its sentences are laid over the piece, and say so', () => {
  const speech = speechOf(heard({ text: 'One two. Three four.' }), { from: 10, to: 20 })
  expect(speech.timesExact).toBe(false)
  expect(speech.segments.map(({ text }) => text)).toEqual(['One two.', 'Three four.'])
  expect(speech.segments[0]?.from).toBe(10)
  expect(speech.segments[1]?.to).toBe(20)
})
